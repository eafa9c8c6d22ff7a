package dev.outbox.console.look;

import dev.outbox.Snapshot;
import dev.outbox.Topics.Setting;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was in the tables at one moment.
 *
 * <p>Immutable. Counts go no further than {@code bound}; {@code nanos} is this process's clock for
 * lengths of time. {@code written} is the id that the next message gets, null where the database
 * does not show it.
 */
public record Look(long nanos, Snapshot snapshot, long bound, @Nullable Long written) {
  /** What is set per topic. */
  public Map<String, Setting> settings() {
    return snapshot.settings();
  }

  /** What a relay has still to deliver and need not wait to be due for. */
  public long waiting() {
    return snapshot.ready() + snapshot.parked();
  }

  /** True when a table has this many or more: then each topic's number is the least. */
  public boolean isCut(long ofTheTable) {
    return ofTheTable >= bound;
  }

  /** True when no count of what waits ended at the bound. */
  public boolean isCounted() {
    return !isCut(snapshot.ready()) && !isCut(snapshot.parked());
  }
}
