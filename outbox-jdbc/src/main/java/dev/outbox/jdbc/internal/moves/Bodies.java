package dev.outbox.jdbc.internal.moves;

import dev.outbox.jdbc.internal.message.Body;
import dev.outbox.jdbc.internal.message.Glimpse;
import dev.outbox.jdbc.internal.message.Place;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.store.Stored;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the bodies that were too heavy for the first statement of a read, so many bytes at a
 * time. A body is fetched by its message id too: the row may be another message by now.
 *
 * <p>Used by one thread.
 */
public final class Bodies {
  private static final long MOST_BYTES = 4L << 20;

  private final LaneQueries queries;
  private final KeyQuery query;
  private final Columns columns;

  /** Reads the columns of a body. */
  @FunctionalInterface
  public interface Columns {
    Body read(ResultSet row) throws SQLException;
  }

  public Bodies(LaneQueries queries, KeyQuery query, Columns columns) {
    this.queries = queries;
    this.query = query;
    this.columns = columns;
  }

  /** The messages of each lane, whole; a lane ends before a message that has gone meanwhile. */
  public List<Stored> complete(Handle handle, List<List<Glimpse>> lanes, long inline) {
    Map<Place, Body> bodies = fetched(handle, lanes, inline);
    List<Stored> whole = new ArrayList<>();
    for (List<Glimpse> lane : lanes) {
      for (Glimpse message : lane) {
        Glimpse complete = complete(message, bodies, inline);
        if (complete == null) {
          break;
        }
        whole.add(complete.stored());
      }
    }
    return whole;
  }

  private static @Nullable Glimpse complete(Glimpse message, Map<Place, Body> bodies, long inline) {
    if (message.weight() <= inline) {
      return message;
    }
    Body body = bodies.remove(Place.of(message));
    return body == null ? null : message.with(body);
  }

  private Map<Place, Body> fetched(Handle handle, List<List<Glimpse>> lanes, long inline) {
    Map<Place, Body> bodies = new HashMap<>();
    List<Map<String, Object>> part = new ArrayList<>();
    long bytes = 0;
    for (List<Glimpse> lane : lanes) {
      for (Glimpse message : lane) {
        if (message.weight() > inline) {
          if (bytes > 0 && bytes + message.weight() > MOST_BYTES) {
            fetch(handle, part, bodies);
            part.clear();
            bytes = 0;
          }
          part.add(Place.of(message).values(message.message().messageId()));
          bytes += message.weight();
        }
      }
    }
    fetch(handle, part, bodies);
    return bodies;
  }

  private void fetch(Handle handle, List<Map<String, Object>> part, Map<Place, Body> bodies) {
    queries
        .ofKeys(
            handle,
            query,
            part,
            Map.of(),
            (row, context) -> Map.entry(Place.of(row), columns.read(row)))
        .forEach(body -> bodies.put(body.getKey(), body.getValue()));
  }
}
