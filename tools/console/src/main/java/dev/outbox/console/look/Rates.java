package dev.outbox.console.look;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How many messages a second came in and went out between two looks.
 *
 * <p>Immutable. {@code in} counts the ids that were given, so also those of transactions that
 * rolled back and of replays; null where the database does not show them. {@code out} is what came
 * in and waits no more, null when more wait than are counted.
 */
public record Rates(@Nullable Double in, @Nullable Double out) {
  /** Nothing to compare with. */
  public static final Rates UNKNOWN = new Rates(null, null);

  /** The rates from one look to a later one. */
  public static Rates between(@Nullable Look before, Look now) {
    Long written = now.written();
    if (before == null || written == null || before.written() == null) {
      return UNKNOWN;
    }
    double seconds = (now.nanos() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    long came = written - before.written();
    if (seconds <= 0 || came < 0) {
      return UNKNOWN;
    }
    boolean isCounted = before.isCounted() && now.isCounted();
    long went = came - (now.waiting() - before.waiting());
    return new Rates(came / seconds, isCounted ? Math.max(0, went) / seconds : null);
  }
}
