package dev.outbox.cli.text;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/**
 * Where a command writes, and what it may ask.
 *
 * <p>Immutable. {@code asking} is null where no person is.
 */
public record Terminal(
    PrintWriter out,
    PrintWriter err,
    Map<String, String> variables,
    Ansi ansi,
    @Nullable Asking asking) {
  public Terminal {
    variables = Map.copyOf(variables);
  }

  /** A person at the terminal. */
  public interface Asking {
    /** What the person types, null at the end of input. */
    @Nullable String line(String question);

    /** The same, unseen. */
    @Nullable String secret(String question);

    /** How large the terminal is now; null where it cannot be asked. */
    @Nullable Size size();
  }

  /** How large a terminal is. */
  public record Size(int columns, int lines) {
    /** The width of a terminal that does not report one: nothing is cut. */
    public static final Size UNKNOWN = new Size(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** The terminal that this process was started at. */
  public static Terminal ofThisProcess() {
    Console console = console();
    boolean isSeen = console != null && Ansi.AUTO.enabled();
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        isSeen ? Ansi.ON : Ansi.AUTO,
        console == null ? null : new AtConsole(console));
  }

  /**
   * A terminal, or null. JDK 22 to 24 have a console where none is, and a method that says so,
   * which JDK 17 has not.
   */
  @SuppressWarnings("SystemConsoleNull")
  private static @Nullable Console console() {
    Console console = System.console();
    if (console == null || Runtime.version().feature() < 22) {
      return console;
    }
    try {
      Object isTerminal = Console.class.getMethod("isTerminal").invoke(console);
      return Boolean.TRUE.equals(isTerminal) ? console : null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a console of JDK 22 or newer says what it is", e);
    }
  }

  private record AtConsole(Console console) implements Asking {
    @Override
    public @Nullable String line(String question) {
      return console.readLine("%s", question);
    }

    @Override
    public @Nullable String secret(String question) {
      char[] typed = console.readPassword("%s", question);
      return typed == null ? null : new String(typed);
    }

    @Override
    public @Nullable Size size() {
      return SizeQuery.ask();
    }
  }

  /** A variable of the environment, or null. */
  public @Nullable String variable(String name) {
    String value = variables.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** True when a person looks. */
  public boolean isWatched() {
    return asking != null;
  }

  /** How large it is now. */
  public Size size() {
    Size size = asking == null ? null : asking.size();
    return size == null ? Size.UNKNOWN : size;
  }

  @Nullable String line(String question) {
    return ask(asking -> asking.line(question));
  }

  /** What a person types unseen; null where there is none. */
  public @Nullable String secret(String question) {
    return ask(asking -> asking.secret(question));
  }

  private @Nullable String ask(Function<Asking, @Nullable String> question) {
    return asking == null ? null : question.apply(asking);
  }
}
