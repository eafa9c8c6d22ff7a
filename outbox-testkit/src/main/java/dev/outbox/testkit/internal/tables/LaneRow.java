package dev.outbox.testkit.internal.tables;

import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One lane's lease; free while {@code owner} is null.
 *
 * <p>Guarded by the monitor of its {@link InMemoryTables}.
 */
public final class LaneRow {
  public final Lane lane;
  @Nullable public String owner;
  public long epoch;
  public Instant until = Instant.EPOCH;
  Duration lease = Duration.ZERO;
  public long floor;
  public int takeovers;
  @Nullable public Suspect suspect;
  public boolean locked;

  LaneRow(Lane lane) {
    this.lane = lane;
  }

  public boolean isFree(Instant now) {
    return owner == null || !until.isAfter(now) || until.isAfter(now.plus(lease.multipliedBy(2)));
  }

  public void leaseTo(String relay, Duration lease, Instant now) {
    owner = relay;
    epoch++;
    this.lease = lease;
    until = now.plus(lease);
  }

  public boolean belongsTo(Lease lease) {
    return lease.owner().equals(owner) && lease.epoch() == epoch;
  }

  /** What makes the row again what it is now. */
  public Runnable copy() {
    LaneRow copy = new LaneRow(lane);
    copy.become(this);
    return () -> become(copy);
  }

  private void become(LaneRow other) {
    owner = other.owner;
    epoch = other.epoch;
    until = other.until;
    lease = other.lease;
    floor = other.floor;
    takeovers = other.takeovers;
    suspect = other.suspect;
    locked = false;
  }
}
