package dev.outbox.cli.text;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A terminal's other screen, which leaves no trace: what was there before is back at the end, also
 * after Ctrl-C.
 *
 * <p>Used by one thread; the JVM's end closes it from another.
 */
public final class Screen implements AutoCloseable {
  private static final String ENTER = "\u001B[?1049h\u001B[?25l\u001B[?7l";
  private static final String LEAVE = "\u001B[?7h\u001B[?25h\u001B[?1049l";
  private static final String BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";

  private final Terminal terminal;
  private final AtEnd atEnd;

  private Screen(Terminal terminal) {
    this.terminal = terminal;
    this.atEnd = AtEnd.of("outbox-screen", () -> leave(terminal));
  }

  /** Enters the other screen. */
  public static Screen open(Terminal terminal) {
    Screen screen = new Screen(terminal);
    screen.write(ENTER);
    return screen;
  }

  /** Shows these lines and nothing else. */
  public void show(List<String> lines) {
    write("\u001B[H\u001B[2J" + String.join(System.lineSeparator(), lines));
  }

  private static void leave(Terminal terminal) {
    terminal.out().print(LEAVE);
    terminal.out().flush();
  }

  private void write(String text) {
    terminal.out().print(text);
    terminal.out().flush();
  }

  /** Numbers as bars, the highest as high as a line. */
  public static String bars(Collection<Double> numbers) {
    double highest = numbers.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return numbers.stream().map(number -> bar(number, highest)).collect(Collectors.joining());
  }

  private static String bar(double number, double highest) {
    int height = highest <= 0 ? 0 : (int) Math.ceil(number / highest * (BARS.length() - 1));
    return BARS.substring(height, height + 1);
  }

  @Override
  public void close() {
    atEnd.close();
    leave(terminal);
  }
}
