package dev.outbox.testkit.internal.store;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.InMemoryTransaction;
import dev.outbox.testkit.internal.tables.ParkedTable.Parked;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Claims by rows on an in-memory store: the ids of claimed messages are locked, and others skip
 * them, until the claim ends.
 */
public final class InMemoryRows implements RowStore {
  private final InMemoryTables inMemoryTables;
  private final InMemorySession session;
  private volatile @Nullable Claim open;

  public InMemoryRows(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
    this.session = new InMemorySession(inMemoryTables);
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    synchronized (inMemoryTables) {
      session.begin();
      List<StoredEnvelope> messages =
          inMemoryTables.ready.values().stream()
              .filter(row -> !inMemoryTables.locked.contains(row.id()))
              .filter(row -> !heldTopics.contains(row.envelope().topic()))
              .limit(atMost)
              .map(inMemoryTables::stored)
              .toList();
      return begin(messages);
    }
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    synchronized (inMemoryTables) {
      session.begin();
      Instant now = inMemoryTables.now();
      List<StoredEnvelope> messages =
          inMemoryTables.parked.rows().stream()
              .filter(row -> row.isDue(now) && !inMemoryTables.locked.contains(row.id()))
              .filter(row -> !heldTopics.contains(row.envelope().topic()))
              .sorted(Comparator.comparing(Parked::due)) // of the same time in the order of ids
              .limit(atMost)
              .map(inMemoryTables::stored)
              .toList();
      return begin(messages);
    }
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    synchronized (inMemoryTables) {
      session.begin();
      return inMemoryTables.parked.release(
          row ->
              !heldTopics.contains(row.envelope().topic())
                  && !inMemoryTables.locked.contains(row.id()),
          atMost,
          inMemoryTables.now());
    }
  }

  @Override
  public Map<String, Setting> topics() {
    session.begin();
    return new InMemoryTopics(inMemoryTables).all();
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(inMemoryTables, session::begin);
  }

  @Override
  public void abort() {
    close();
  }

  @Override
  public int promoteDue(int atMost) {
    synchronized (inMemoryTables) {
      session.begin();
      return inMemoryTables.promoteDue(lane -> true, atMost);
    }
  }

  private Claim begin(List<StoredEnvelope> messages) {
    close();
    Claim claim = new Claim(inMemoryTables, messages);
    open = claim;
    return claim;
  }

  @Override
  public void close() {
    Claim claim = open;
    if (claim != null) {
      claim.close();
    }
  }

  private static final class Claim implements RowClaim {
    private final InMemoryTables inMemoryTables;
    private final List<StoredEnvelope> messages;
    private final Set<Long> ids;
    private final InMemoryTransaction transaction;
    private boolean settling;

    Claim(InMemoryTables inMemoryTables, List<StoredEnvelope> messages) {
      this.inMemoryTables = inMemoryTables;
      this.messages = messages;
      this.ids = messages.stream().map(StoredEnvelope::id).collect(Collectors.toSet());
      this.transaction = new InMemoryTransaction(inMemoryTables);
      inMemoryTables.locked.addAll(ids);
      transaction.onRollback(this::unlock);
      begin();
      transaction.write(this::remove);
    }

    private void begin() {
      try {
        transaction.setAutoCommit(false);
      } catch (SQLException e) {
        throw new IllegalStateException("a new connection is open", e);
      }
    }

    /** Whoever commits in the place of the settle has removed what was claimed. */
    private void remove() {
      if (!settling) {
        messages.forEach(each -> inMemoryTables.fates.remove(each));
        unlock();
      }
    }

    private void unlock() {
      synchronized (inMemoryTables) {
        inMemoryTables.locked.removeAll(ids);
      }
    }

    @Override
    public List<StoredEnvelope> messages() {
      return messages;
    }

    @Override
    public Connection transaction() {
      return transaction.connection;
    }

    @Override
    public void settle(List<Fate> fates) {
      settling = true;
      try {
        transaction.commitWith(
            () -> {
              fates.forEach(inMemoryTables.fates::write);
              unlock();
            });
        transaction.close();
      } catch (SQLException e) {
        throw StoreException.passing("the claim's session has ended", e);
      }
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
