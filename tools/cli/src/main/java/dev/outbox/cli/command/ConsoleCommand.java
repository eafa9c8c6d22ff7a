package dev.outbox.cli.command;

import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.AtEnd;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.OutboxConsole;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.spi.Layout;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The console in the browser. */
@Command(
    name = "console",
    description = "Starts the console for the browser, until Ctrl-C; prints its address and token.")
public final class ConsoleCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Option(names = "--port", paramLabel = "N", description = "Default: any that is free.")
  private int port;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Listens at this address. Default: the loopback address.")
  private @Nullable String address;

  @Option(
      names = "--public-origin",
      paramLabel = "ORIGIN",
      description = "Where a proxy has it, such as https://ops.example.org; needs --port.")
  private @Nullable String publicOrigin;

  @Option(
      names = "--operate",
      description = "Lets it pause and limit topics, and replay and discard dead letters.")
  private boolean operate;

  @Option(
      names = "--show-payloads",
      description = "Shows payloads of dead letters, which may be confidential.")
  private boolean payloads;

  public ConsoleCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() throws InterruptedException {
    Refusal.ofOther("--port", port, 0, 65_535, "0 is any that is free");
    invocation.asksAgain();
    OutboxConsole console = start();
    AtEnd atEnd = AtEnd.of("outbox-console-end", console::close);
    try {
      String url = console.url().toString();
      invocation.printer().answer(Map.of("url", url), printer -> tell(printer, url));
      new CountDownLatch(1).await();
    } finally {
      atEnd.close();
      console.close();
    }
    return Exit.DONE;
  }

  private void tell(Printer printer, String url) {
    printer
        .line("Open " + printer.bold(url))
        .line(operate ? "Whoever has this address can change things." : "It is read-only.")
        .line("Ctrl-C ends it.");
  }

  private OutboxConsole start() {
    JdbcStore store = invocation.store();
    Layout layout = store.layout();
    Schema schema = invocation.schema().claiming(layout.claiming()).lanes(layout.lanes()).build();
    OutboxConsole.Builder console = OutboxConsole.builder(store).port(port).schema(schema::verify);
    if (address != null) {
      console.bind(address(address));
    }
    if (publicOrigin != null) {
      console.publicOrigin(publicOrigin);
    }
    if (operate) {
      console.operate();
    }
    if (payloads) {
      console.showPayloads();
    }
    try {
      return console.start();
    } catch (UncheckedIOException e) {
      throw new Refusal(Exit.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private static InetAddress address(String name) {
    try {
      return InetAddress.getByName(name);
    } catch (UnknownHostException e) {
      throw new Refusal(Exit.USAGE, "--bind is %s, and no address has that name".formatted(name));
    }
  }
}
