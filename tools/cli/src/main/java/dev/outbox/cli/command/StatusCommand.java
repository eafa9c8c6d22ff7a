package dev.outbox.cli.command;

import dev.outbox.Snapshot;
import dev.outbox.cli.Exit;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.connect.Looks;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.HumanText;
import dev.outbox.console.look.Look;
import dev.outbox.console.look.Rates;
import dev.outbox.console.look.Trouble;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What waits, who works, and what is wrong. */
@Command(name = "status", description = "What waits, who works, and what is wrong.")
public final class StatusCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Mixin private Looks looks = new Looks();

  @Option(
      names = "--check",
      description =
          "Exit code 1 if messages do not leave, for a probe: no relay is running, and some wait.")
  private boolean check;

  public StatusCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    Look look = looks.look(invocation);
    invocation.printer().answer(Values.of(look, Rates.UNKNOWN), printer -> print(printer, look));
    boolean isBad =
        Trouble.of(look).stream().anyMatch(trouble -> trouble.level() == Trouble.Level.BAD);
    return check && isBad ? Exit.FOUND : Exit.DONE;
  }

  private static void print(Printer printer, Look look) {
    Snapshot snapshot = look.snapshot();
    printer.troubles(Trouble.of(look)).line("");
    printer.table(
        List.of("MESSAGES", "COUNT", "OLDEST"),
        List.of(
            row(look, "ready", snapshot.ready(), HumanText.age(snapshot.oldestReady())),
            row(look, "parked", snapshot.parked(), due(snapshot)),
            row(look, "delayed", snapshot.delayed(), ""),
            row(look, "dead", snapshot.dead(), "")));
    printer
        .line("")
        .line("Relays: %d, lanes: %d".formatted(snapshot.relays().size(), snapshot.lanes().size()));
  }

  private static String due(Snapshot snapshot) {
    return snapshot.oldestDue() == null ? "" : "due for " + HumanText.age(snapshot.oldestDue());
  }

  private static List<String> row(Look look, String what, long count, String age) {
    return List.of(what, HumanText.count(count, look.bound()), age);
  }
}
