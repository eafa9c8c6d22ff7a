package dev.outbox.jdbc.internal.rows;

import dev.outbox.jdbc.internal.message.MessageRow;
import dev.outbox.store.Stored;

/**
 * A row that was deleted by the claim that holds it, kept so that it can be written again.
 *
 * <p>Immutable.
 */
sealed interface ClaimedRow {
  MessageRow message();

  Stored stored();

  /** From the ready table. */
  record Ready(MessageRow message) implements ClaimedRow {
    @Override
    public Stored stored() {
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
    public Stored stored() {
      return row.stored();
    }
  }
}
