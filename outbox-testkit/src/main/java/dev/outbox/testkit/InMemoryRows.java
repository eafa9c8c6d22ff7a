package dev.outbox.testkit;

import dev.outbox.store.Fate;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.RowClaim;
import dev.outbox.store.RowStore;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import dev.outbox.store.TopicSetting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Claims by rows on an in-memory store: the ids of claimed messages are locked, and others skip
 * them, until the claim ends.
 */
final class InMemoryRows implements RowStore {
  private final Tables tables;
  private final InMemorySession session;
  private volatile @Nullable Claim open;

  InMemoryRows(Tables tables) {
    this.tables = tables;
    this.session = new InMemorySession(tables);
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    synchronized (tables) {
      session.begin();
      List<Stored> messages =
          tables.ready.values().stream()
              .filter(row -> !tables.locked.contains(row.id()))
              .filter(row -> !heldTopics.contains(row.envelope().topic()))
              .limit(atMost)
              .map(tables::stored)
              .toList();
      return begin(messages);
    }
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    synchronized (tables) {
      session.begin();
      Instant now = tables.now();
      List<Stored> messages =
          tables.parked.rows().stream()
              .filter(row -> row.isDue(now) && !tables.locked.contains(row.id()))
              .filter(row -> !heldTopics.contains(row.envelope().topic()))
              .limit(atMost)
              .map(tables::stored)
              .toList();
      return begin(messages);
    }
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    synchronized (tables) {
      session.begin();
      return tables.parked.release(
          row -> !heldTopics.contains(row.envelope().topic()) && !tables.locked.contains(row.id()),
          atMost,
          tables.now());
    }
  }

  @Override
  public Map<String, TopicSetting> topics() {
    session.begin();
    return new InMemoryTopics(tables).all();
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(tables, session::begin);
  }

  @Override
  public void abort() {
    close();
  }

  @Override
  public int promoteDue(int atMost) {
    synchronized (tables) {
      session.begin();
      return tables.promoteDue(lane -> true, atMost);
    }
  }

  private Claim begin(List<Stored> messages) {
    close();
    Claim claim = new Claim(tables, messages);
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
    private final Tables tables;
    private final List<Stored> messages;
    private final Set<Long> ids;
    private final InMemoryTransaction transaction;

    Claim(Tables tables, List<Stored> messages) {
      this.tables = tables;
      this.messages = messages;
      this.ids = messages.stream().map(Stored::id).collect(Collectors.toSet());
      this.transaction = new InMemoryTransaction(tables);
      tables.locked.addAll(ids);
      transaction.onRollback(this::unlock);
      begin();
    }

    private void begin() {
      try {
        transaction.setAutoCommit(false);
      } catch (SQLException e) {
        throw new IllegalStateException("a new connection is open", e);
      }
    }

    private void unlock() {
      synchronized (tables) {
        tables.locked.removeAll(ids);
      }
    }

    @Override
    public List<Stored> messages() {
      return messages;
    }

    @Override
    public Connection transaction() {
      return transaction.connection;
    }

    @Override
    public void settle(List<Fate> fates) {
      try {
        transaction.commitWith(
            () -> {
              fates.forEach(tables::apply);
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
