package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.FenceSql;
import dev.outbox.message.MessageId;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Writes the ends of claims whose messages were all delivered, where one statement can fence a lane
 * and delete its messages. No transaction is begun and committed around it: that is one round trip
 * in place of three.
 *
 * <p>Used by one thread.
 */
/*
 * PostgreSQL takes the statements of a batch without a transaction as one, which ends with the batch.
 */
final class Deliveries {
  private static final Comparator<StoredEnvelope> BY_ID =
      Comparator.comparingLong(StoredEnvelope::id);

  /** The driver of PostgreSQL sends no more than 256 statements as one. */
  private static final int MOST_LANES = 128;

  private final Sql sql;
  private final Duration lease;
  private final String text;
  private boolean counts = true;

  Deliveries(Sql sql, Duration lease, boolean archive) {
    this.sql = sql;
    this.lease = lease;
    boolean isTold = !archive && sql.statements().fence() instanceof FenceSql.Query;
    this.text = isTold ? ((FenceSql.Query) sql.statements().fence()).deleting() : "";
  }

  /** True when nothing but deliveries of ready messages is to be written, and no lane released. */
  boolean areAll(List<Settlement> settlements) {
    if (text.isEmpty() || !counts || settlements.size() > MOST_LANES) {
      return false;
    }
    for (Settlement settlement : settlements) {
      boolean releases = settlement.after() == Settlement.After.RELEASE;
      if (releases || settlement.fates().isEmpty() || !areAllReady(settlement.fates())) {
        return false;
      }
    }
    return true;
  }

  private static boolean areAllReady(List<Fate> fates) {
    for (Fate fate : fates) {
      if (!(fate instanceof Fate.Deliver) || fate.storedEnvelope().isParked()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes them. Returns what became of each lane of which a message was there; of the others it is
   * not told whether they are fenced, and nothing was deleted.
   */
  Map<Lane, SettleResult> write(Connection connection, List<Settlement> settlements) {
    List<Settlement> ascending = new ArrayList<>(settlements);
    ascending.sort(Comparator.comparing(settlement -> settlement.lease().lane()));
    List<Map<String, Object>> entries = new ArrayList<>(ascending.size());
    for (Settlement settlement : ascending) {
      entries.add(values(settlement));
    }
    int[] deleted = deleted(connection, entries);
    Map<Lane, SettleResult> settled = new HashMap<>();
    for (int i = 0; i < deleted.length; i++) {
      if (deleted[i] > 0) {
        Settlement settlement = ascending.get(i);
        int missing = settlement.fates().size() - deleted[i];
        settled.put(settlement.lease().lane(), new SettleResult.Settled(Set.of(), missing));
      }
    }
    return settled;
  }

  /** A driver in front of PostgreSQL's may keep the counts of a batch for itself: none, then. */
  private int[] deleted(Connection connection, List<Map<String, Object>> entries) {
    try {
      return new Moves(sql, connection, Moves.BatchMode.TOGETHER).counts(text, entries);
    } catch (Moves.Uneven uneven) {
      counts = false;
      return new int[0];
    }
  }

  private Map<String, Object> values(Settlement settlement) {
    Lease held = settlement.lease();
    List<StoredEnvelope> messages = new ArrayList<>(settlement.fates().size());
    for (Fate fate : settlement.fates()) {
      messages.add(fate.storedEnvelope());
    }
    messages.sort(BY_ID);
    long[] ids = new long[messages.size()];
    ByteBuffer names = ByteBuffer.allocate(MessageId.BYTES * ids.length);
    for (int i = 0; i < ids.length; i++) {
      ids[i] = messages.get(i).id();
      UUID name = messages.get(i).envelope().id().value();
      names.putLong(name.getMostSignificantBits()).putLong(name.getLeastSignificantBits());
    }
    Map<String, Object> values = new HashMap<>();
    values.put("lane", held.lane().number());
    values.put("owner", held.owner());
    values.put("epoch", held.epoch());
    values.put("floor", settlement.floor());
    values.put("due", Fences.due(settlement));
    values.put("lease", lease);
    values.put("ids", ids);
    values.put("messages", names.array());
    return values;
  }
}
