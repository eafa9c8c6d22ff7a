package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.store.Claiming;
import dev.outbox.store.DeadStore;
import dev.outbox.store.Finding;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.Need;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Outcome;
import dev.outbox.store.Outgoing;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.RowStore;
import dev.outbox.store.Settlement;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import dev.outbox.store.Wakeup;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that gives what a test put in, accepts every settlement and writes down what was asked.
 */
final class ScriptedStore implements OutboxStore, LaneStore, RelayRegistry {
  final Map<Lane, List<Stored>> ready = new HashMap<>();
  final List<List<Lane>> dueLooks = new ArrayList<>();
  final List<Settlement> settlements = new ArrayList<>();

  /** A settlement with fates of this lane is refused for good. */
  @Nullable Lane refused;

  StoreException refusal = StoreException.lasting("value too long for a column", null);

  private final Layout layout;
  private final Supplier<RowStore> rows;
  private boolean claimed;

  private ScriptedStore(Layout layout, Supplier<RowStore> rows) {
    this.layout = layout;
    this.rows = rows;
  }

  static ScriptedStore ofLanes(int lanes) {
    return new ScriptedStore(
        new Layout(1, lanes, Claiming.LANES),
        () -> {
          throw new UnsupportedOperationException();
        });
  }

  static ScriptedStore ofRows(Supplier<RowStore> rows) {
    return new ScriptedStore(new Layout(1, 1, Claiming.ROWS), rows);
  }

  @Override
  public List<LaneClaim> claim(int atMost) {
    List<LaneClaim> claims = new ArrayList<>();
    for (int lane = 0; lane < layout.lanes() && !claimed; lane++) {
      claims.add(new LaneClaim(new Lease(new Lane(lane), "test", 1, 0), Set.of()));
    }
    claimed = true;
    return claims;
  }

  @Override
  public List<Stored> read(List<Cursor> cursors) {
    List<Stored> read = new ArrayList<>();
    cursors.forEach(cursor -> read.addAll(ready.getOrDefault(cursor.lane(), List.of())));
    return read;
  }

  @Override
  public List<Stored> readDue(List<Lane> lanes, int perLane) {
    dueLooks.add(lanes);
    return List.of();
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    return 0;
  }

  @Override
  public Map<Lane, Outcome> settle(List<Settlement> written) {
    if (written.stream()
        .anyMatch(each -> each.lease().lane().equals(refused) && !each.fates().isEmpty())) {
      throw refusal;
    }
    settlements.addAll(written);
    Map<Lane, Outcome> outcomes = new HashMap<>();
    written.forEach(each -> outcomes.put(each.lease().lane(), new Outcome.Settled(Set.of(), 0)));
    return outcomes;
  }

  @Override
  public List<String> beat(String relay, Duration lifetime) {
    return List.of(relay);
  }

  @Override
  public void leave(String relay) {}

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return this;
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return rows.get();
  }

  @Override
  public RelayRegistry registry() {
    return this;
  }

  @Override
  public Wakeup wakeup() {
    return Wakeup.inProcess();
  }

  @Override
  public List<Finding> examine(Need need) {
    return List.of();
  }

  @Override
  public void append(Connection transaction, List<Outgoing> messages) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Instant now() {
    throw new UnsupportedOperationException();
  }

  @Override
  public DeadStore deadLetters() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int purgeArchive(Duration retention, int atMost) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
