package dev.outbox.cli.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.outbox.cli.Exit;
import dev.outbox.cli.Refusal;
import dev.outbox.console.look.Trouble;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

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
  private static final int NARROW = 24;
  private static final int GAP = 2;

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
    if (!rows.isEmpty()) {
      tableWithin(Integer.MAX_VALUE, header, rows).forEach(this::line);
    }
    return this;
  }

  /** As above, but no wider than that: long cells are cut, those of the first column first. */
  public List<String> tableWithin(int columns, List<String> header, List<List<String>> rows) {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    rows.forEach(row -> all.add(row.stream().map(Printer::cell).toList()));
    int[] widths = widths(all);
    narrow(widths, columns);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String line = Columns.cut(line(all.get(i), widths), columns);
      lines.add(i == 0 ? bold(line) : line);
    }
    return lines;
  }

  private static void narrow(int[] widths, int columns) {
    int tooMuch = Arrays.stream(widths).sum() + GAP * (widths.length - 1) - columns;
    for (int left = tooMuch; left > 0; left--) {
      int widest = 0;
      for (int i = 1; i < widths.length && widths[0] <= NARROW; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      widths[widest] = Math.max(1, widths[widest] - 1);
    }
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
      String cell =
          i == 0 ? Columns.cutWithin(row.get(i), widths[i]) : Columns.cut(row.get(i), widths[i]);
      line.append(Columns.padded(cell, widths[i] + GAP));
    }
    return line.toString().stripTrailing();
  }

  private static String cell(String text) {
    String safe = safe(text).replace("\n", "\\n").replace("\t", "\\t");
    return Columns.cut(safe, WIDEST);
  }

  /**
   * Without what would move the cursor, change colours or reverse the text: anybody may have
   * written a message.
   */
  public static String safe(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}&&[^\n\t]]", "\uFFFD");
  }

  /** The same, with all lines after the first indented: none of them is taken for another name. */
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
    return troubleWithin(Integer.MAX_VALUE, trouble).get(0);
  }

  /** As above, but no wider than that. */
  public List<String> troubleWithin(int columns, Trouble trouble) {
    String code =
        switch (trouble.level()) {
          case BAD -> "1;31";
          case WARNING -> "33";
          case NOTE -> "2";
        };
    String mark =
        switch (trouble.level()) {
          case BAD -> "\u2717 ";
          case WARNING -> "! ";
          case NOTE -> "- ";
        };
    List<String> lines = Columns.wrapped(safe(trouble.text()), Math.max(1, columns - 2));
    return IntStream.range(0, lines.size())
        .mapToObj(i -> colour(code, (i == 0 ? mark : "  ") + lines.get(i)))
        .toList();
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
