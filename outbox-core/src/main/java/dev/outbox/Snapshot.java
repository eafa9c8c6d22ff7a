package dev.outbox;

import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in the tables at one moment, by the database's clock: counts that go no further than the
 * bound they were asked with.
 *
 * <p>Immutable. An age is null when there is nothing to have one; {@code oldestReady} is the time
 * since the oldest ready message was written, {@code oldestDue} since a parked one fell due.
 */
public record Snapshot(
    long ready,
    @Nullable Duration oldestReady,
    long parked,
    @Nullable Duration oldestDue,
    long delayed,
    long dead,
    List<OwnedLane> lanes,
    List<LiveRelay> relays) {
  public Snapshot {
    lanes = List.copyOf(lanes);
    relays = List.copyOf(relays);
  }

  /** A lane and who owns it; null when nobody does. */
  public record OwnedLane(Lane lane, @Nullable String owner) {}
}
