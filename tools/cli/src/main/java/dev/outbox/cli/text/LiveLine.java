package dev.outbox.cli.text;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A line at the terminal that is written over again and again; none where no person looks.
 *
 * <p>Used by one thread.
 */
public final class LiveLine implements AutoCloseable {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Terminal terminal;
  private long drawn = System.nanoTime() - REDRAW_NANOS;

  public LiveLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Writes it, unless it was written a moment ago. */
  public void draw(Supplier<String> text) {
    if (terminal.isWatched() && System.nanoTime() - drawn >= REDRAW_NANOS) {
      drawn = System.nanoTime();
      terminal.err().print("\r" + text.get() + "\u001B[K");
      terminal.err().flush();
    }
  }

  /** Leaves an empty line. */
  @Override
  public void close() {
    if (terminal.isWatched()) {
      terminal.err().print("\r\u001B[K");
      terminal.err().flush();
    }
  }
}
