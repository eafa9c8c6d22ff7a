package dev.outbox.cli.text;

import dev.outbox.cli.Exit;
import dev.outbox.console.look.HumanText;
import java.time.Duration;
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

  private final Terminal terminal;
  private final LiveLine line;
  private final long total;
  private final LongFunction<String> whenStopped;
  private final long began = System.nanoTime();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtEnd atEnd;
  private volatile boolean stopped;
  private long lastDone;
  private boolean told;

  /** {@code whenStopped} makes a sentence of how many were done when Ctrl-C came. */
  public Progress(Terminal terminal, long total, LongFunction<String> whenStopped) {
    this.terminal = terminal;
    this.line = new LiveLine(terminal);
    this.total = total;
    this.whenStopped = whenStopped;
    this.atEnd = AtEnd.of("outbox-stop", this::stop);
  }

  /** Draws how far it has come; false when it must not go on. */
  public boolean goOn(long done) {
    lastDone = done;
    line.draw(() -> text(done));
    return !stopped;
  }

  private String text(long done) {
    double rate = done * 1e9 / Math.max(1, System.nanoTime() - began);
    Duration left = Duration.ofSeconds((long) Math.ceil((total - done) / Math.max(0.001, rate)));
    String numbers =
        String.format(
            Locale.ROOT, "%,d of %,d, %,.0f/s, %s left", done, total, rate, HumanText.age(left));
    return bar(done, Math.min(WIDTH, line.room() - numbers.length() - 3)) + numbers;
  }

  private String bar(long done, int width) {
    if (width < 1) {
      return "";
    }
    int full = total == 0 ? width : (int) Math.min(width, done * width / total);
    return "[%s%s] ".formatted("#".repeat(full), ".".repeat(width - full));
  }

  /** Says what was done, with the exit code for it. */
  public int end(long done, boolean complete) {
    line.close();
    told = true;
    if (complete) {
      return Exit.DONE;
    }
    tell(done);
    return Exit.STOPPED;
  }

  private void tell(long done) {
    terminal.err().println("outbox: " + whenStopped.apply(done));
    terminal.err().flush();
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

  /** What failed is told after how many were done. */
  @Override
  public void close() {
    if (!told) {
      line.close();
      tell(lastDone);
    }
    ended.countDown();
    atEnd.close();
  }
}
