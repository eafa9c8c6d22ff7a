package dev.outbox.testkit.internal.intercept;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Claims by rows that pass everything on, each call by way of {@link #around}.
 *
 * <p>Used by one thread, but for {@link #abort}.
 */
public abstract class InterceptedRows implements RowStore {
  private final RowStore rows;

  protected InterceptedRows(RowStore rows) {
    this.rows = rows;
  }

  /** What a call comes to. The registry and the ends of claims and session are none. */
  protected <T> T around(StoreCall call, Supplier<T> effect) {
    return effect.get();
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    return around(StoreCall.CLAIM, () -> new Claim(rows.claim(atMost, heldTopics)));
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    return around(StoreCall.CLAIM_DUE, () -> new Claim(rows.claimDue(atMost, heldTopics)));
  }

  /** Writes what came of a claim that was made here. */
  protected void settle(RowClaim claim, List<Fate> fates) {
    around(
        StoreCall.SETTLE,
        () -> {
          claim.settle(fates);
          return fates;
        });
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    return around(StoreCall.RELEASE, () -> rows.release(heldTopics, atMost));
  }

  @Override
  public Map<String, Setting> topics() {
    return around(StoreCall.ASK, rows::topics);
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
    return around(StoreCall.PROMOTE, () -> rows.promoteDue(atMost));
  }

  @Override
  public void close() {
    rows.close();
  }

  private final class Claim implements RowClaim {
    private final RowClaim claim;

    Claim(RowClaim claim) {
      this.claim = claim;
    }

    @Override
    public List<StoredEnvelope> messages() {
      return claim.messages();
    }

    @Override
    public Connection transaction() {
      return claim.transaction();
    }

    @Override
    public boolean hasEnded() {
      return claim.hasEnded();
    }

    @Override
    public boolean isLost(SQLException refusal) {
      return claim.isLost(refusal);
    }

    @Override
    public void settle(List<Fate> fates) {
      InterceptedRows.this.settle(claim, fates);
    }

    @Override
    public void close() {
      claim.close();
    }
  }
}
