package dev.outbox.cli.text;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A line at the terminal that is written over again and again; none where no person looks. It is no
 * longer than the terminal is wide, or its beginning could not be written over.
 *
 * <p>Used by one thread.
 */
public final class LiveLine implements AutoCloseable {
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Terminal terminal;
  private final int room;
  private long drawn = System.nanoTime() - REDRAW_NANOS;

  public LiveLine(Terminal terminal) {
    this.terminal = terminal;
    this.room = terminal.size().columns() - 1;
  }

  /** How many columns there are. */
  int room() {
    return room;
  }

  /** Writes it, unless it was written a moment ago. */
  public void draw(Supplier<String> text) {
    if (terminal.isWatched() && System.nanoTime() - drawn >= REDRAW_NANOS) {
      drawn = System.nanoTime();
      terminal.err().print("\r" + Columns.cut(text.get(), room) + "\u001B[K");
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
