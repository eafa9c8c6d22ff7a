package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.MessageBody;
import dev.outbox.jdbc.internal.message.MessageHead;
import dev.outbox.jdbc.internal.message.RowId;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the bodies that were too heavy for the first statement of a read, that many bytes at a
 * time. A body is fetched by its message id too: the row may be another message by now.
 *
 * <p>Used by one thread.
 */
public final class BodyFetch {
  private static final long MOST_BYTES = 4L << 20;

  private final LaneQueries queries;
  private final KeyQuery query;
  private final Columns columns;

  /** Reads the columns of a body. */
  @FunctionalInterface
  public interface Columns {
    MessageBody read(ResultSet row) throws SQLException;
  }

  public BodyFetch(LaneQueries queries, KeyQuery query, Columns columns) {
    this.queries = queries;
    this.query = query;
    this.columns = columns;
  }

  /** The messages of each lane, whole; a lane ends before a message that has gone meanwhile. */
  public List<StoredEnvelope> complete(
      Connection connection, List<List<MessageHead>> lanes, long inline) {
    Map<RowId, MessageBody> bodies = fetched(connection, lanes, inline);
    List<StoredEnvelope> whole = new ArrayList<>();
    for (List<MessageHead> lane : lanes) {
      for (MessageHead message : lane) {
        MessageHead complete = complete(message, bodies, inline);
        if (complete == null) {
          break;
        }
        whole.add(complete.storedEnvelope());
      }
    }
    return whole;
  }

  private static @Nullable MessageHead complete(
      MessageHead message, Map<RowId, MessageBody> bodies, long inline) {
    if (message.weight() <= inline) {
      return message;
    }
    MessageBody messageBody = bodies.remove(RowId.of(message));
    return messageBody == null ? null : message.with(messageBody);
  }

  private Map<RowId, MessageBody> fetched(
      Connection connection, List<List<MessageHead>> lanes, long inline) {
    Map<RowId, MessageBody> bodies = new HashMap<>();
    List<Map<String, Object>> part = new ArrayList<>();
    long bytes = 0;
    for (List<MessageHead> lane : lanes) {
      for (MessageHead message : lane) {
        if (message.weight() > inline) {
          if (bytes > 0 && bytes + message.weight() > MOST_BYTES) {
            fetch(connection, part, bodies);
            part.clear();
            bytes = 0;
          }
          part.add(RowId.of(message).values(message.message().messageId()));
          bytes += message.weight();
        }
      }
    }
    if (!part.isEmpty()) {
      fetch(connection, part, bodies);
    }
    return bodies;
  }

  private void fetch(
      Connection connection, List<Map<String, Object>> part, Map<RowId, MessageBody> bodies) {
    queries
        .ofKeys(
            connection, query, part, Map.of(), row -> Map.entry(RowId.of(row), columns.read(row)))
        .forEach(body -> bodies.put(body.getKey(), body.getValue()));
  }
}
