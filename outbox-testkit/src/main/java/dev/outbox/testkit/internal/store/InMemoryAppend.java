package dev.outbox.testkit.internal.store;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.internal.tables.InMemoryConnection;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.InMemoryTransaction;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes messages into an in-memory store as part of an application's transaction. */
record InMemoryAppend(InMemoryTables inMemoryTables) {
  /** They become visible with the commit of {@code connection}. */
  void append(Connection connection, List<NewEnvelope> messages) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, inMemoryTables);
    messages.forEach(newEnvelope -> append(transaction, newEnvelope));
  }

  private void append(InMemoryTransaction transaction, NewEnvelope newEnvelope) {
    Lane lane = newEnvelope.lane();
    Envelope envelope = newEnvelope.envelope();
    if (inMemoryTables.isOwn(lane)) {
      inMemoryTables.lane(lane);
    }
    transaction.enlist();
    long id = inMemoryTables.nextId();
    Instant due = due(newEnvelope.due());
    if (due == null) {
      InMemoryTables.Ready row = new InMemoryTables.Ready(id, lane, envelope, inMemoryTables.now());
      transaction.write(() -> inMemoryTables.enqueue(row));
    } else {
      InMemoryTables.Delayed row = new InMemoryTables.Delayed(id, lane, envelope, due);
      transaction.write(() -> inMemoryTables.enqueue(row));
    }
  }

  private @Nullable Instant due(Message.@Nullable Due due) {
    Instant now = inMemoryTables.now();
    Instant instant =
        due instanceof Message.Due.At at
            ? at.instant()
            : due instanceof Message.Due.After after ? now.plus(after.delay()) : null;
    return instant == null || !instant.isAfter(now) ? null : instant;
  }
}
