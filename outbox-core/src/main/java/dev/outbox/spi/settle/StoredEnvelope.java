package dev.outbox.spi.settle;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.Lane;
import org.jspecify.annotations.Nullable;

/**
 * An envelope as it is in a table, with the number that the database gave it.
 *
 * <p>Immutable. {@code retryState} is null for a ready message and set for a parked one. {@code
 * defect} is null unless the row cannot be published as it is (expired, or written by hand with
 * headers that cannot be read).
 */
public record StoredEnvelope(
    long id,
    Lane lane,
    Envelope envelope,
    @Nullable RetryState retryState,
    @Nullable Defect defect) {

  /** A ready message without a defect. */
  public static StoredEnvelope ready(long id, Lane lane, Envelope envelope) {
    return new StoredEnvelope(id, lane, envelope, null, null);
  }

  /** True when the message is in the parked table. */
  public boolean isParked() {
    return retryState != null;
  }

  /** The topic and key that can be held, or null for a message without a key. */
  public @Nullable HeldKey holdable() {
    return envelope.key() == null ? null : new HeldKey(lane, envelope.topic(), envelope.key());
  }

  /** Why a row must be dead-lettered unpublished. */
  public record Defect(Reason reason, String detail) {}
}
