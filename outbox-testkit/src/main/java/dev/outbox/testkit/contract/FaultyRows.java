package dev.outbox.testkit.contract;

import dev.outbox.store.Fate;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.RowClaim;
import dev.outbox.store.RowStore;
import dev.outbox.store.Stored;
import dev.outbox.store.TopicSetting;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker's session with a {@link FaultyStore}.
 *
 * <p>Used by one thread.
 */
final class FaultyRows implements RowStore {
  private final FaultyStore store;
  private final RowStore rows;

  FaultyRows(FaultyStore store, RowStore rows) {
    this.store = store;
    this.rows = rows;
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    RowClaim claim = new Claim(rows.claim(atMost, heldTopics));
    store.countRead();
    return claim;
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    return new Claim(rows.claimDue(atMost, heldTopics));
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    return store.faulty(FaultyStore.Call.RELEASE, () -> rows.release(heldTopics, atMost));
  }

  @Override
  public Map<String, TopicSetting> topics() {
    return rows.topics();
  }

  @Override
  public RelayRegistry registry() {
    return rows.registry();
  }

  @Override
  public void abort() {
    rows.abort();
  }

  @Override
  public int promoteDue(int atMost) {
    return store.faulty(FaultyStore.Call.PROMOTE, () -> rows.promoteDue(atMost));
  }

  @Override
  public void close() {
    store.sessionClosed();
    rows.close();
  }

  private final class Claim implements RowClaim {
    private final RowClaim claim;

    Claim(RowClaim claim) {
      this.claim = claim;
    }

    @Override
    public List<Stored> messages() {
      return claim.messages();
    }

    @Override
    public Connection transaction() {
      return claim.transaction();
    }

    @Override
    public void settle(List<Fate> fates) {
      store.faulty(
          FaultyStore.Call.SETTLE,
          () -> {
            claim.settle(fates);
            return fates;
          });
    }

    @Override
    public void close() {
      claim.close();
    }
  }
}
