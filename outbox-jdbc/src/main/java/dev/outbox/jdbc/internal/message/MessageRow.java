package dev.outbox.jdbc.internal.message;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.cluster.Origin;
import dev.outbox.internal.text.HeaderJson;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The message columns of a row, as they are in the table.
 *
 * <p>Immutable.
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record MessageRow(
    int lane,
    long id,
    MessageId messageId,
    String topic,
    @Nullable String key,
    @Nullable String headers,
    String contentType,
    byte @Nullable [] payload,
    @Nullable String refTable,
    @Nullable String refId,
    Origin origin,
    @Nullable Instant notAfter,
    @Nullable Instant createdAt,
    boolean expired) {
  private static final byte[] EMPTY = {};

  MessageRow with(MessageHead.Body body) {
    return new MessageRow(
        lane,
        id,
        messageId,
        topic,
        key,
        body.headers(),
        contentType,
        body.payload(),
        refTable,
        refId,
        origin,
        notAfter,
        createdAt,
        expired);
  }

  /** The message with what is wrong with it, if anything is. */
  public StoredEnvelope stored(@Nullable RetryState retryState) {
    try {
      StoredEnvelope.Defect defect =
          expired ? new StoredEnvelope.Defect(Reason.EXPIRED, "notAfter was " + notAfter) : null;
      return new StoredEnvelope(id, new Lane(lane), envelope(), retryState, defect);
    } catch (IllegalArgumentException e) {
      StoredEnvelope.Defect defect =
          new StoredEnvelope.Defect(Reason.UNREADABLE, String.valueOf(e.getMessage()));
      return new StoredEnvelope(id, new Lane(lane), bareEnvelope(), retryState, defect);
    }
  }

  /**
   * The envelope.
   *
   * @throws IllegalArgumentException when a column breaks a rule of the message
   */
  public Envelope envelope() {
    if (topic.isEmpty()) { // which no list of held topics can tell from none
      throw new IllegalArgumentException("topic is empty; give it a value of 1 to 255 characters");
    }
    Reference reference = Reference.ofColumns(refTable, refId);
    return new Envelope(
        messageId,
        topic,
        key == null ? null : new Key(key),
        HeaderJson.read(headers),
        reference == null ? new Payload(contentType, bytes()) : unresolved(reference),
        notAfter,
        reference,
        origin);
  }

  /** Which of the two would be published must not be a matter of taste. */
  private Payload unresolved(Reference reference) {
    if (bytes().length > 0) {
      throw new IllegalArgumentException(
          "the row has a payload of %d bytes and a reference to %s; it can have one of them only"
              .formatted(bytes().length, reference));
    }
    return Reference.UNRESOLVED;
  }

  /** The envelope, or what can be shown of a row that cannot be read. */
  public Envelope anyEnvelope() {
    try {
      return envelope();
    } catch (IllegalArgumentException e) {
      return bareEnvelope();
    }
  }

  /** What can be shown of a row that cannot be read. */
  public Envelope bareEnvelope() {
    return new Envelope(
        messageId,
        topic,
        readableKey(key),
        Map.of(),
        new Payload("application/octet-stream", bytes()),
        notAfter,
        null,
        origin);
  }

  /** The key, or null for none and for what no message could have. */
  public static @Nullable Key readableKey(@Nullable String key) {
    try {
      return key == null ? null : new Key(key);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  byte[] bytes() {
    return payload == null ? EMPTY : payload;
  }

  /** The values by the names of the columns. */
  public Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("lane", lane);
    values.put("id", id);
    values.put("message_id", messageId);
    values.put("topic", topic);
    values.put("msg_key", key);
    values.put("headers", headers);
    values.put("content_type", contentType);
    values.put("payload", payload);
    values.put("ref_table", refTable);
    values.put("ref_id", refId);
    values.put("origin", origin.cluster());
    values.put("not_after", notAfter);
    values.put("created_at", createdAt);
    return values;
  }
}
