package dev.outbox.jdbc.internal.once;

import dev.outbox.StoreException;
import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.SlotSql;
import dev.outbox.jdbc.sql.OnceStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Locks the slots of keys before their rows are written, where a database needs that: all that may
 * wait for one row wait for its slot instead, where a rollback lets the next one through and no
 * more. In ascending order, so that two callers with the same keys do not deadlock.
 */
final class InsertSlots {
  private final Sql sql;
  private final OnceStatement statement;

  InsertSlots(Sql sql, OnceStatement statement) {
    this.sql = sql;
    this.statement = statement;
  }

  /** Asked for when a key is used: most stores never see one. */
  private SlotSql slots() {
    return sql.statements().slots(statement);
  }

  /** What is to be there: {@code look}, and {@code slotLook} where slots are locked. */
  List<String> looks(String look, String slotLook) {
    return slots() instanceof SlotSql.Locked ? List.of(look, slotLook) : List.of(look);
  }

  /** Locks the slots of these keys until the transaction ends. */
  void lock(Connection transaction, Stream<String> keys) throws SQLException {
    if (slots() instanceof SlotSql.Locked locked) {
      TreeSet<Integer> numbers = new TreeSet<>();
      keys.forEach(key -> numbers.add(number(key, locked.count())));
      int found = lock(transaction, locked, numbers.toString());
      if (found != numbers.size()) {
        throw StoreException.lasting(
            "%d slots should be locked, but only %d exist; run the DDL again, which fills the table"
                .formatted(numbers.size(), found),
            null);
      }
    }
  }

  /** Of every process the same: how a string is hashed is laid down. */
  private static int number(String key, int count) {
    int hash = key.hashCode() * 0x9E3779B1;
    return Math.floorMod(hash ^ hash >>> 16, count);
  }

  private int lock(Connection transaction, SlotSql.Locked locked, String json) throws SQLException {
    NamedSql named = sql.named(locked.sql());
    int found = 0;
    try (PreparedStatement statement = transaction.prepareStatement(named.text())) {
      sql.bind(statement, 1, named, Map.of("slots", json));
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found++;
        }
      }
    }
    return found;
  }
}
