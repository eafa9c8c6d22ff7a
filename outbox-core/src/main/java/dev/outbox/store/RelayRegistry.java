package dev.outbox.store;

import java.time.Duration;
import java.util.List;

/**
 * The live relays of a store.
 *
 * <p>Safe for use by many threads. Liveness is judged by the database's clock.
 */
public interface RelayRegistry {
  /**
   * Says that {@code relay} lives for {@code lifetime} more. Returns the names of all live relays,
   * sorted.
   */
  List<String> beat(String relay, Duration lifetime);

  /** Says that {@code relay} has gone. */
  void leave(String relay);
}
