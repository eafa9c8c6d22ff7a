package dev.outbox.cli.command;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.cli.connect.Invocation;
import dev.outbox.cli.text.Printer;
import dev.outbox.console.look.HumanText;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Reference;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that look at dead letters. */
final class DeadLooks {
  private DeadLooks() {}

  private static Map<String, @Nullable Object> values(DeadLetter.Summary letter) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("number", letter.id().number());
    values.put("id", letter.id().message().toString());
    values.put("topic", letter.topic());
    values.put("key", letter.key() == null ? null : letter.key().value());
    values.put("reason", letter.reason().name().toLowerCase(Locale.ROOT));
    values.put("attempts", letter.attempts());
    values.put("deadSince", letter.deadSince().toString());
    values.put("holdsKey", letter.holdsKey());
    values.put("error", letter.error());
    return values;
  }

  /** The name of the letter with a number. */
  static DeadLetter.Id id(DeadLetters dead, long number) {
    return only(number, after -> dead.summaries(upTo(number), after, 1)).id();
  }

  private static Filter upTo(long number) {
    return Filter.all().upTo(number);
  }

  private static <T> T only(long number, LongFunction<List<T>> page) {
    List<T> found = number < 1 ? List.of() : page.apply(number - 1);
    if (found.isEmpty()) {
      throw new Refusal(
          Exit.FOUND,
          "there is no dead letter %d: it was never there, or is replayed, discarded or purged"
              .formatted(number));
    }
    return found.get(0);
  }

  /** Lists them. */
  @Command(name = "list", description = "Lists dead letters, oldest first.")
  static final class ListThem implements Callable<Integer> {
    private final Invocation invocation;
    @Mixin private DeadFilter filter = new DeadFilter();

    @Option(
        names = "--after",
        paramLabel = "NUMBER",
        description = "Goes on behind this one, the last of the list before.")
    private long after;

    @Option(names = "--limit", paramLabel = "N", description = "At most N. Default: 50.")
    private int limit = 50;

    ListThem(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      String remedy = "--after goes on behind the last of a list";
      Refusal.ofOther("--limit", limit, 1, DeadLetters.MAX_PAGE, remedy);
      JdbcStore store = invocation.store();
      List<DeadLetter.Summary> letters =
          DeadLetters.create(store).summaries(filter.filter(), after, limit);
      Instant now = store.now();
      invocation
          .printer()
          .answer(
              letters.stream().map(DeadLooks::values).toList(),
              printer -> print(printer, letters, now));
      return Exit.DONE;
    }

    private void print(Printer printer, List<DeadLetter.Summary> letters, Instant now) {
      printer.table(
          List.of("NUMBER", "TOPIC", "KEY", "REASON", "TRIED", "DEAD FOR", "ERROR"),
          letters.stream().map(letter -> row(letter, now)).toList());
      if (letters.isEmpty()) {
        printer.line("No dead letter fits.");
      } else if (letters.size() == limit) {
        printer.line(
            "There may be more: --after %d"
                .formatted(letters.get(letters.size() - 1).id().number()));
      }
    }

    private static List<String> row(DeadLetter.Summary letter, Instant now) {
      String reason = letter.reason().name().toLowerCase(Locale.ROOT);
      return List.of(
          Long.toString(letter.id().number()),
          letter.topic(),
          letter.key() == null ? "" : letter.key().value(),
          reason + (letter.holdsKey() ? ", holds its key" : ""),
          Integer.toString(letter.attempts()),
          HumanText.age(Duration.between(letter.deadSince(), now)),
          letter.error());
    }
  }

  /** Shows one. */
  @Command(name = "show", description = "Shows one dead letter, without its payload.")
  static final class Show implements Callable<Integer> {
    private final Invocation invocation;

    @Parameters(paramLabel = "NUMBER", description = "Its number, as the list has it.")
    private long number;

    @Option(names = "--payload", description = "Also its payload, which may be confidential.")
    private boolean payload;

    Show(Invocation invocation) {
      this.invocation = invocation;
    }

    @Override
    public Integer call() {
      DeadLetters dead = DeadLetters.create(invocation.store());
      DeadLetter letter = only(number, after -> dead.page(upTo(number), after, 1));
      Map<String, @Nullable Object> values = values(letter.summary());
      values.put("headers", letter.envelope().headers());
      values.put("contentType", letter.envelope().payload().contentType());
      values.put("payloadBytes", letter.envelope().payload().bytes().length);
      Reference reference = letter.envelope().reference();
      if (reference != null) {
        values.put("reference", reference.table() + " " + reference.id());
      }
      values.put("history", letter.history());
      if (payload) {
        show(letter.envelope().payload().bytes(), values);
      }
      invocation.printer().answer(values, printer -> print(printer, values));
      return Exit.DONE;
    }

    /** As text if it is text, else so that nothing of it is lost. */
    private static void show(byte[] payload, Map<String, @Nullable Object> values) {
      try {
        CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload));
        values.put("payload", text.toString());
      } catch (CharacterCodingException e) {
        values.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
      }
    }

    private static void print(Printer printer, Map<String, @Nullable Object> values) {
      values.forEach(
          (name, value) -> {
            String text = value == null ? "" : Printer.safe(value.toString()).strip();
            String indented = text.contains("\n") ? "\n" + text.indent(2).stripTrailing() : text;
            printer.line("%s %s".formatted(printer.bold("%-13s".formatted(name)), indented));
          });
    }
  }
}
