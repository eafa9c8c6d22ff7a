package dev.outbox.jdbc.internal.lanes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How old the last copy is that a server made of its transactions for us, and whether to rely on
 * what it tells.
 *
 * <p>Used by one thread.
 */
/*
 * Who reads the list all the time, as a monitor may, keeps the server from making another copy. Then the age would grow
 * for ever, and with it the lag that is reported, and the floor would stand still: better a grace than no floor. Before
 * the first copy that is so after some seconds. Later it takes about a minute of asking in vain, because several relays
 * may well keep each other waiting for a while, and a list that lags is exact where a grace is not.
 */
final class TransactionListAge {
  static final int MOST_IN_VAIN = 30;

  private static final Duration BEFORE_THE_FIRST = Duration.ofDays(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long begun;
  private boolean ever;
  private long made;
  private int inVain;

  /** None was made until now. */
  TransactionListAge(long nanos) {
    this.begun = nanos;
  }

  /** The server made one for a question of ours. */
  void madeAt(long nanos) {
    ever = true;
    made = nanos;
    inVain = 0;
  }

  /** The server answered a question of ours from an older one. */
  void askedInVain() {
    inVain++;
  }

  /** Null when it should not be relied on. */
  @Nullable Duration at(long nanos) {
    if (ever) {
      return inVain < MOST_IN_VAIN ? Duration.ofNanos(nanos - made) : null;
    }
    return nanos - begun > PATIENCE.toNanos() ? null : BEFORE_THE_FIRST;
  }
}
