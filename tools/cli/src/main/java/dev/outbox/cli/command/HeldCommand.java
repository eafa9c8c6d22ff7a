package dev.outbox.cli.command;

import dev.outbox.Messages;
import dev.outbox.Messages.Retrying;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.HumanText;
import dev.outbox.jdbc.JdbcStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What failed and is tried again. */
@Command(
    name = "held",
    description = "Messages that failed and are tried again, the next first. Each holds its key.")
public final class HeldCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Option(names = "--topic", description = "Those of this topic.")
  private @Nullable String topic;

  @Option(names = "--limit", paramLabel = "N", description = "At most N. Default: 50.")
  private int limit = 50;

  public HeldCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    String remedy = "--topic lists those of one topic";
    Refusal.ofOther("--limit", limit, 1, Messages.MAX_PAGE, remedy);
    JdbcStore store = invocation.store();
    Messages messages = Messages.create(store);
    List<Retrying> held =
        topic == null ? messages.retrying(limit) : messages.retrying(topic, limit);
    Instant now = store.now();
    invocation
        .printer()
        .answer(
            held.stream().map(HeldCommand::values).toList(), printer -> print(printer, held, now));
    return Exit.DONE;
  }

  private static Map<String, @Nullable Object> values(Retrying held) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("id", held.id().toString());
    values.put("topic", held.topic());
    values.put("key", held.key() == null ? null : held.key().value());
    values.put("attempts", held.attempts());
    values.put("nextTry", held.nextTry().toString());
    values.put("error", held.error());
    return values;
  }

  private static void print(Printer printer, List<Retrying> held, Instant now) {
    printer.table(
        List.of("TOPIC", "KEY", "ATTEMPTS", "NEXT TRY", "ERROR"),
        held.stream()
            .map(
                each ->
                    List.of(
                        each.topic(),
                        each.key() == null ? "" : each.key().value(),
                        Integer.toString(each.attempts()),
                        next(Duration.between(now, each.nextTry())),
                        each.error()))
            .toList());
    if (held.isEmpty()) {
      printer.line("No message waits for another try.");
    }
  }

  private static String next(Duration until) {
    return until.isNegative() ? "due for " + HumanText.age(until) : "in " + HumanText.age(until);
  }
}
