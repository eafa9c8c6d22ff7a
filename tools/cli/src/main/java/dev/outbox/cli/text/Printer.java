package dev.outbox.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.console.look.Trouble;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Writes an answer: as JSON, or as lines and tables, in colour when a person looks.
 *
 * <p>Used by one thread.
 */
public final class Printer {
  private static final ObjectMapper JSON = new ObjectMapper();

  static {
    JSON.getFactory().setCharacterEscapes(new VisibleSigns());
  }

  private static final int WIDEST = 60;

  private final Terminal terminal;
  private final boolean json;

  public Printer(Terminal terminal, boolean json) {
    this.terminal = terminal;
    this.json = json;
  }

  /** Writes {@code values} as JSON if that was asked for, else what {@code human} writes. */
  public void answer(Object values, Consumer<Printer> human) {
    answer(JSON.writerWithDefaultPrettyPrinter(), values, human);
  }

  /** The same for one answer of many: its JSON is one line. */
  public void answerInLine(Object values, Consumer<Printer> human) {
    answer(JSON.writer(), values, human);
  }

  private void answer(ObjectWriter writer, Object values, Consumer<Printer> human) {
    if (json) {
      json(writer, values);
    } else {
      human.accept(this);
    }
    terminal.out().flush();
  }

  private void json(ObjectWriter writer, Object values) {
    try {
      terminal.out().println(writer.writeValueAsString(values));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isJson() {
    return json;
  }

  public Printer line(String text) {
    terminal.out().println(text);
    return this;
  }

  /** Columns as wide as their longest cell; control characters of messages become visible. */
  public Printer table(List<String> header, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return this;
    }
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    rows.forEach(row -> all.add(row.stream().map(Printer::cell).toList()));
    int[] widths = widths(all);
    for (int i = 0; i < all.size(); i++) {
      String line = line(all.get(i), widths);
      terminal.out().println(i == 0 ? bold(line) : line);
    }
    return this;
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Columns.of(row.get(i)));
      }
    }
    return widths;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(Columns.padded(row.get(i), widths[i] + 2));
    }
    return line.toString().stripTrailing();
  }

  private static String cell(String text) {
    String safe = safe(text).replace("\n", "\\n").replace("\t", "\\t");
    return Columns.cut(safe, WIDEST);
  }

  /**
   * Without what would move the cursor, change colours or turn the direction of the text: messages
   * are written by anybody.
   */
  public static String safe(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}&&[^\n\t]]", "\uFFFD");
  }

  /** The same, with all lines after the first moved in: none of them is taken for another name. */
  public static String hanging(String text, int columns) {
    return safe(text).replace("\n", "\n" + " ".repeat(columns));
  }

  /** The same in one line. */
  public static String inLine(String text) {
    return safe(text).strip().replaceAll("\\s+", " ");
  }

  public String bold(String text) {
    return colour("1", text);
  }

  /** Troubles as lines, or that there is none. */
  public Printer troubles(List<Trouble> troubles) {
    if (troubles.isEmpty()) {
      return line(colour("32", "\u2713 all is well"));
    }
    for (Trouble trouble : troubles) {
      line(trouble(trouble));
    }
    return this;
  }

  private String trouble(Trouble trouble) {
    String text = safe(trouble.text());
    return switch (trouble.level()) {
      case BAD -> colour("1;31", "\u2717 " + text);
      case WARNING -> colour("33", "! " + text);
      case NOTE -> colour("2", "- " + text);
    };
  }

  public String colour(String code, String text) {
    return terminal.ansi().enabled() ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
  }

  /** As {@code 1 dead letter} or {@code 1,234 dead letters}. */
  public static String deadLetters(long number) {
    return String.format(Locale.ROOT, "%,d dead letter%s", number, number == 1 ? "" : "s");
  }

  /**
   * Asks the person to type the number of messages that will change.
   *
   * @throws Refusal when it is not typed, or no one is at the terminal
   */
  public void confirm(String what, long messages) {
    if (!terminal.isWatched()) {
      throw new Refusal(
          Exit.UNCONFIRMED,
          "this would %s %s, and no one is at the terminal to confirm it; repeat the command with --yes"
              .formatted(what, deadLetters(messages)));
    }
    String typed =
        terminal.line(
            "This will %s %s. Type the number to go on: ".formatted(what, deadLetters(messages)));
    if (typed == null || !typed.strip().replace(",", "").equals(Long.toString(messages))) {
      throw new Refusal(Exit.UNCONFIRMED, "not confirmed; nothing was changed");
    }
  }
}
