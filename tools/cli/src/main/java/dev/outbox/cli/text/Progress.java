package dev.outbox.cli.text;

import dev.outbox.cli.Exit;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Long work with a bar, which Ctrl-C ends after the portion that is under way.
 *
 * <p>Used by one thread; the JVM's end asks from another.
 */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final long PATIENCE_SECONDS = 20;
  private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Terminal terminal;
  private final long total;
  private final LongFunction<String> whenStopped;
  private final long began = System.nanoTime();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "outbox-stop");
  private volatile boolean stopped;
  private long drawn = began - REDRAW_NANOS;

  /** {@code whenStopped} makes a sentence of how many were done when Ctrl-C came. */
  public Progress(Terminal terminal, long total, LongFunction<String> whenStopped) {
    this.terminal = terminal;
    this.total = total;
    this.whenStopped = whenStopped;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Draws how far it has come; false when it must not go on. */
  public boolean goOn(long done) {
    if (terminal.isWatched() && System.nanoTime() - drawn >= REDRAW_NANOS) {
      drawn = System.nanoTime();
      terminal.err().print("\r" + bar(done) + "\u001B[K");
      terminal.err().flush();
    }
    return !stopped;
  }

  private String bar(long done) {
    int full = total == 0 ? WIDTH : (int) Math.min(WIDTH, done * WIDTH / total);
    double seconds = (System.nanoTime() - began) / 1e9;
    return String.format(
        Locale.ROOT,
        "[%s%s] %,d of %,d, %,.0f/s",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        done,
        total,
        done / Math.max(0.001, seconds));
  }

  /** Says what was done, with the exit code for it. */
  public int end(long done, boolean complete) {
    if (terminal.isWatched()) {
      terminal.err().print("\r\u001B[K");
    }
    if (complete) {
      return Exit.DONE;
    }
    terminal.err().println("outbox: " + whenStopped.apply(done));
    terminal.err().flush();
    return Exit.STOPPED;
  }

  /** Runs as the JVM ends: what is under way is finished and told first. */
  private void stop() {
    stopped = true;
    try {
      if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        terminal
            .err()
            .println("outbox: the database has not answered; a portion may have been done");
        terminal.err().flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    ended.countDown();
    AtEnd.forget(hook);
  }
}
