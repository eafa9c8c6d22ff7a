package dev.outbox.cli.command;

import dev.outbox.Messages;
import dev.outbox.Messages.Found;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.message.MessageId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where a message is. */
@Command(
    name = "find",
    description = "Where a message is. Exit code 1 if it is nowhere. Reads all that waits.")
public final class FindCommand implements Callable<Integer> {
  private final Invocation invocation;

  @Parameters(paramLabel = "MESSAGE-ID", description = "What enqueue returned.")
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private String id;

  @Option(names = "--archive", description = "Also among the delivered messages of the archive.")
  private boolean archive;

  public FindCommand(Invocation invocation) {
    this.invocation = invocation;
  }

  @Override
  public Integer call() {
    MessageId wanted = id();
    List<Found> found = Messages.create(invocation.store(archive)).find(wanted);
    invocation
        .printer()
        .answer(found.stream().map(FindCommand::values).toList(), printer -> print(printer, found));
    return found.isEmpty() ? Exit.FOUND : Exit.DONE;
  }

  private MessageId id() {
    try {
      return MessageId.parse(id);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          Exit.USAGE, "MESSAGE-ID is %s, it must be a UUID such as enqueue returns".formatted(id));
    }
  }

  private static Map<String, @Nullable Object> values(Found found) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("place", found.place().name().toLowerCase(Locale.ROOT));
    values.put("topic", found.envelope().topic());
    values.put("key", found.envelope().key() == null ? null : found.envelope().key().value());
    values.put("at", found.at() == null ? null : found.at().toString());
    values.put("reason", found.reason());
    values.put("attempts", found.attempts());
    values.put("error", found.error());
    values.put("deadLetter", found.letter() == null ? null : found.letter().number());
    return values;
  }

  private static void print(Printer printer, List<Found> found) {
    if (found.isEmpty()) {
      printer.line("It is nowhere: never committed, or delivered, discarded or cancelled.");
    }
    for (Found each : found) {
      printer.line(printer.bold(each.place().name().toLowerCase(Locale.ROOT)));
      values(each)
          .forEach(
              (name, value) -> {
                if (value != null && !value.equals("") && !name.equals("place")) {
                  printer.line("  %-11s %s".formatted(name, Printer.hanging(value.toString(), 14)));
                }
              });
    }
  }
}
