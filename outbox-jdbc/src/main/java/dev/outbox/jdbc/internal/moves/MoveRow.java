package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.JsonText;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.message.MessageId;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row on its way from one table to another, with what is written of it. {@code rest} is in
 * microseconds. {@code message} is null for a row that was read in the same transaction; {@code
 * parkedAs} is its id in the parked table.
 *
 * <p>Immutable.
 */
public record MoveRow(
    int lane,
    long id,
    @Nullable MessageId message,
    long parkedAs,
    @Nullable String reason,
    int attempts,
    @Nullable Long rest,
    @Nullable String error,
    @Nullable String history,
    int holds) {
  /** By lane and id, in which every statement locks. */
  public static final Comparator<MoveRow> IN_ORDER =
      Comparator.comparingInt(MoveRow::lane).thenComparingLong(MoveRow::id);

  private static final int LONGEST_TEXT = 16_000;

  public static MoveRow of(Fate fate) {
    if (fate instanceof Fate.Park park) {
      return new MoveRow(
          laneOf(park),
          park.storedEnvelope().id(),
          park.storedEnvelope().envelope().id(),
          park.storedEnvelope().id(),
          park.reason().name(),
          park.attempts(),
          rest(park),
          storable(park.error()),
          storable(park.history()),
          0);
    }
    if (fate instanceof Fate.Bury bury) {
      return new MoveRow(
          laneOf(bury),
          bury.storedEnvelope().id(),
          bury.storedEnvelope().envelope().id(),
          bury.storedEnvelope().id(),
          bury.reason().name(),
          bury.attempts(),
          null,
          storable(bury.error()),
          storable(bury.history()),
          bury.holdsKey() && bury.storedEnvelope().holdable() != null ? 1 : 0);
    }
    return at(laneOf(fate), fate.storedEnvelope().id(), fate.storedEnvelope().envelope().id());
  }

  /** A row that was read in the same transaction. */
  public static MoveRow at(int lane, long id) {
    return at(lane, id, null);
  }

  /** A row that may have become another message's since it was read. */
  public static MoveRow at(int lane, long id, @Nullable MessageId message) {
    return new MoveRow(lane, id, message, id, null, 0, null, null, null, 0);
  }

  /** The same, parked because another of its key is parked before it. */
  public MoveRow following() {
    return new MoveRow(
        lane,
        id,
        message,
        parkedAs,
        HoldReason.FOLLOWER.name(),
        attempts,
        rest,
        error,
        history,
        holds);
  }

  /** The same, parked under another id. */
  public MoveRow parkedAs(long other) {
    return new MoveRow(lane, id, message, other, reason, attempts, rest, error, history, holds);
  }

  public RowId rowId() {
    return new RowId(lane, id);
  }

  private static int laneOf(Fate fate) {
    return fate.storedEnvelope().lane().number();
  }

  // a follower without a key has no head to wait for
  private static @Nullable Long rest(Fate.Park park) {
    Duration rest = park.rest();
    if (rest != null) {
      return Sql.micros(rest);
    }
    boolean follows = park.reason() != HoldReason.TOPIC;
    return follows && park.storedEnvelope().envelope().key() == null ? 0L : null;
  }

  /**
   * A text as every database can hold it: no NUL, no half pairs, not longer than a message needs.
   */
  static @Nullable String storable(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int end = Math.min(text.length(), LONGEST_TEXT);
    StringBuilder clean = new StringBuilder(end);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < end
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (pair) {
        clean.append(c).append(text.charAt(++i));
      } else {
        clean.append(c == 0 || Character.isSurrogate(c) ? '\uFFFD' : c);
      }
    }
    return clean.toString();
  }

  public Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("lane", lane);
    values.put("id", id);
    values.put("message_id", message);
    values.put("parked_as", parkedAs);
    values.put("reason", reason);
    values.put("attempts", attempts);
    values.put("rest", rest);
    values.put("error", error);
    values.put("history", history);
    values.put("holds", holds);
    return values;
  }

  /** Lane, id and message id as a JSON array. */
  String jsonPlace() {
    StringBuilder json = new StringBuilder().append('[').append(lane).append(',').append(id);
    if (message != null) {
      json.append(',');
      JsonText.id(json, message);
    }
    return json.append(']').toString();
  }

  /** The row as a JSON object. */
  String json() {
    StringBuilder json = new StringBuilder();
    json(json);
    return json.toString();
  }

  private void json(StringBuilder json) {
    json.append("{\"lane\":").append(lane).append(",\"id\":").append(id);
    if (message != null) {
      json.append(",\"message_id\":");
      JsonText.id(json, message);
    }
    if (parkedAs != id) {
      json.append(",\"parked_as\":").append(parkedAs);
    }
    if (reason != null) {
      json.append(",\"attempts\":").append(attempts);
      json.append(",\"holds\":").append(holds);
      json.append(",\"reason\":");
      JsonText.string(json, reason);
    }
    if (rest != null) {
      json.append(",\"rest\":").append(rest.longValue());
    }
    if (error != null) {
      json.append(",\"error\":");
      JsonText.string(json, error);
    }
    if (history != null) {
      json.append(",\"history\":");
      JsonText.string(json, history);
    }
    json.append('}');
  }
}
