package dev.outbox.testkit.schedule;

import dev.outbox.publish.RetryPolicy;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.crash.CrashRun;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A relay as a schedule drives it: by turns, on one thread.
 *
 * <p>Used by one thread. Every method may throw {@link dev.outbox.StoreException}, after which it
 * is called again.
 */
public interface DrivenRelay {
  /** Takes one turn. False when there was nothing to do. */
  boolean turn();

  /** Takes turns until there is nothing to do now. */
  void drain();

  /** Is gone as a killed process is. */
  void crash();

  /**
   * Begins to leave: takes nothing new and ends what it can. False when something is left for which
   * a close has patience; then it is called again before {@link #close}.
   */
  default boolean windDown() {
    return true;
  }

  /** Leaves as a closed relay does whose patience is over. */
  void close();

  /** Makes workers. */
  @FunctionalInterface
  interface Recruiting {
    DrivenRelay at(RelaySpec relaySpec);
  }

  /** The engine of this library. */
  static DrivenRelay engine(RelaySpec relaySpec) {
    ManualRelay relay =
        ManualRelay.builder(relaySpec.store(), relaySpec.publisher())
            .name(relaySpec.name())
            .clocks(relaySpec.nanos(), relaySpec.wall())
            .lease(CrashRun.LEASE, CrashRun.LEASE.dividedBy(3))
            .publishDeadline(Duration.ofSeconds(20))
            .batch(relaySpec.batch())
            .retry(retry(relaySpec.random()))
            .random(relaySpec.random())
            .build();
    return new DrivenRelay() {
      @Override
      public boolean turn() {
        return relay.turn();
      }

      @Override
      public void drain() {
        relay.drainNow();
      }

      @Override
      public void crash() {
        relay.crash();
      }

      @Override
      public boolean windDown() {
        return relay.windDown();
      }

      @Override
      public void close() {
        relay.close();
      }
    };
  }

  private static RetryPolicy retry(RandomGenerator random) {
    return (attempts, failing) ->
        attempts >= 4
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(random.nextLong(1, 500L << attempts)));
  }
}
