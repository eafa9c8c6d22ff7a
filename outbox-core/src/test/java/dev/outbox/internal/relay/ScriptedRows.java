package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A session of a worker by rows, with the same ready messages at every claim: one, if not told. */
final class ScriptedRows implements RowStore {
  final List<Fate> settled = new ArrayList<>();
  boolean empty;
  int claims;
  int asked;
  byte[] payload = {};

  /** Claims that passed over the topic, and what happens meanwhile. */
  int looksBehind;

  Runnable wading = () -> {};

  Runnable promoting = () -> {};
  int dueClaims;
  int releases;
  List<StoredEnvelope> due = List.of();

  Map<String, Setting> topics = Map.of();
  Connection transaction;
  List<StoredEnvelope> ready;
  StoreException refusal;

  /** A state of its database's own, by which a connection is lost. */
  String lost = "none";

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    asked = atMost;
    boolean held = heldTopics.contains(Samples.TOPIC);
    if (held) {
      looksBehind++;
      wading.run();
    } else {
      claims++;
    }
    List<StoredEnvelope> messages = ready == null ? List.of(Samples.of(1, payload)) : ready;
    return new Claim(held || empty ? List.of() : messages, this);
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    dueClaims++;
    return new Claim(due, this);
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    releases++;
    return 0;
  }

  @Override
  public Map<String, Setting> topics() {
    return topics;
  }

  @Override
  public RelayRegistry registry() {
    return new ScriptedLanes(0);
  }

  @Override
  public void abort() {}

  @Override
  public int promoteDue(int atMost) {
    promoting.run();
    return 0;
  }

  @Override
  public void close() {}

  private record Claim(List<StoredEnvelope> messages, ScriptedRows rows) implements RowClaim {
    @Override
    public Connection transaction() {
      return rows.transaction;
    }

    @Override
    public boolean isLost(SQLException refusal) {
      return RowClaim.super.isLost(refusal) || rows.lost.equals(refusal.getSQLState());
    }

    @Override
    public void settle(List<Fate> fates) {
      if (rows.refusal != null) {
        throw rows.refusal;
      }
      rows.settled.addAll(fates);
    }

    @Override
    public void close() {}
  }
}
