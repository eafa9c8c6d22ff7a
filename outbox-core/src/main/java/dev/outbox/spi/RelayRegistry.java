package dev.outbox.spi;

import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.util.List;

/**
 * The live relays of a store.
 *
 * <p>Safe for use by many threads. Liveness is judged by the database's clock.
 */
public interface RelayRegistry {
  /**
   * Says that {@code relay} lives for {@code lifetime} more, and whether it takes part in sharing
   * the lanes. Returns all live relays, sorted by name.
   */
  List<LiveRelay> beat(String relay, Duration lifetime, boolean sharing);

  /** All live relays, sorted by name. */
  List<LiveRelay> live();

  /** Says that {@code relay} has gone. */
  void leave(String relay);
}
