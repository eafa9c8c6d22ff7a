package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.internal.message.MessageHead;
import dev.outbox.jdbc.internal.moves.BoundedRead;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.jdbc.sql.LaneStatement;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads ready messages: a first statement for all lanes brings the light ones and the weights of
 * the others, whose bodies follow as far as they fit.
 *
 * <p>Used by one thread.
 */
final class ReadyReader {
  private final Sql sql;
  private final LaneQueries queries;
  private final BoundedRead bounded;

  ReadyReader(Sql sql, LaneQueries queries) {
    this.sql = sql;
    this.queries = queries;
    this.bounded =
        new BoundedRead(
            queries, sql.statements().keys(LaneStatement.READY_BODIES), MessageHead.Body::ready);
  }

  List<StoredEnvelope> read(Connection connection, List<Cursor> cursors, long bytes) {
    return read(connection, sql.statements().lanes(LaneStatement.READY), Map.of(), cursors, bytes);
  }

  List<StoredEnvelope> readPast(
      Connection connection, List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    Map<String, Object> past = Map.of("held", heldTopics, "reach", reach);
    return read(connection, sql.statements().lanes(LaneStatement.READY_PAST), past, cursors, bytes);
  }

  private List<StoredEnvelope> read(
      Connection connection,
      LaneQuery query,
      Map<String, Object> past,
      List<Cursor> cursors,
      long bytes) {
    Map<String, Object> also = new HashMap<>(past);
    also.put("inline", BoundedRead.inline(cursors, bytes));
    List<Cursor> ascending = new ArrayList<>(cursors);
    ascending.sort(Comparator.comparing(Cursor::lane));
    List<MessageHead> seen =
        queries.ofLanes(connection, query, ascending, also, MessageHead.ready(sql));
    return bounded.whole(connection, seen, cursors, bytes);
  }
}
