package dev.outbox.jdbc.internal.rows;

import dev.outbox.jdbc.internal.message.MessageRow;
import dev.outbox.spi.settle.StoredEnvelope;

/**
 * A row that was deleted by the claim that holds it, kept so that it can be written again.
 *
 * <p>Immutable.
 */
sealed interface ClaimedRow {
  MessageRow message();

  StoredEnvelope storedEnvelope();

  /** From the ready table. */
  record Ready(MessageRow message) implements ClaimedRow {
    @Override
    public StoredEnvelope storedEnvelope() {
      return message.stored(null);
    }
  }

  /** From the parked table. */
  record Parked(ParkedRow row) implements ClaimedRow {
    @Override
    public MessageRow message() {
      return row.message();
    }

    @Override
    public StoredEnvelope storedEnvelope() {
      return row.storedEnvelope();
    }
  }
}
