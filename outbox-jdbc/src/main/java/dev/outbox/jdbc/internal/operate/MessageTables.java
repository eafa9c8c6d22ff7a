package dev.outbox.jdbc.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.Messages.Found;
import dev.outbox.Messages.Place;
import dev.outbox.Messages.Retrying;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.message.MessageColumns;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.session.ClusterScope;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.jdbc.sql.RegistryStatement;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Single messages in all tables, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class MessageTables implements MessageStore {
  private final DataSource dataSource;
  private final Sql sql;
  private final Limits limits;
  private final boolean archive;
  private final LaneQueries queries;

  public MessageTables(DataSource dataSource, Sql sql, Limits limits, boolean archive) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.limits = limits;
    this.archive = archive;
    this.queries = new LaneQueries(sql);
  }

  @Override
  public List<Found> waiting(MessageId id) {
    Map<String, Object> values = Map.of("message_id", id);
    return call(
        "find a message that waits",
        connection -> {
          List<Found> found = new ArrayList<>();
          found.addAll(sql.query(connection, DeadStatement.FIND_READY, values, row -> ready(row)));
          found.addAll(
              sql.query(connection, DeadStatement.FIND_PARKED, values, row -> parked(row)));
          found.addAll(
              sql.query(connection, DeadStatement.FIND_DELAYED, values, row -> delayed(row)));
          return found;
        });
  }

  @Override
  public List<Found> ended(MessageId id, Instant from, Instant to) {
    Map<String, Object> values = Map.of("message_id", id, "from", from, "to", to);
    return call(
        "find a message that has ended",
        connection -> {
          List<Found> found =
              new ArrayList<>(
                  sql.query(connection, DeadStatement.FIND_DEAD, values, row -> dead(row)));
          if (archive) {
            found.addAll(
                sql.query(connection, DeadStatement.FIND_ARCHIVED, values, row -> archived(row)));
          }
          return found;
        });
  }

  private Found ready(ResultSet row) throws SQLException {
    return new Found(Place.READY, envelope(row), at(row, "created_at"));
  }

  private Found delayed(ResultSet row) throws SQLException {
    return new Found(Place.DELAYED, envelope(row), at(row, "due_at"));
  }

  private Found archived(ResultSet row) throws SQLException {
    return new Found(Place.ARCHIVED, envelope(row), at(row, "completed_at"));
  }

  private Found parked(ResultSet row) throws SQLException {
    return tried(Place.PARKED, row, envelope(row), at(row, "due_at"), null);
  }

  private Found dead(ResultSet row) throws SQLException {
    Envelope envelope = envelope(row);
    DeadLetter.Id letter = new DeadLetter.Id(row.getLong("dead_id"), envelope.id());
    return tried(Place.DEAD, row, envelope, at(row, "died_at"), letter);
  }

  private static Found tried(
      Place place,
      ResultSet row,
      Envelope envelope,
      @Nullable Instant at,
      DeadLetter.@Nullable Id letter)
      throws SQLException {
    return new Found(
        place,
        envelope,
        at,
        row.getString("reason"),
        row.getInt("attempts"),
        Objects.requireNonNullElse(row.getString("last_error"), ""),
        letter);
  }

  private Envelope envelope(ResultSet row) throws SQLException {
    return MessageColumns.all(row, sql).read(row).anyEnvelope();
  }

  private @Nullable Instant at(ResultSet row, String column) throws SQLException {
    return sql.dialect().instant(row, row.findColumn(column));
  }

  @Override
  public List<Retrying> retrying(@Nullable String topic, int atMost) {
    Map<String, @Nullable Object> only = new HashMap<>();
    only.put("only", topic);
    return call("list what is tried again", connection -> retrying(connection, only, atMost))
        .stream()
        .sorted(Comparator.comparing(Retrying::nextTry))
        .limit(atMost)
        .toList();
  }

  private List<Retrying> retrying(
      Connection connection, Map<String, @Nullable Object> only, int atMost) {
    List<Cursor> lanes =
        sql.query(
            connection,
            RegistryStatement.LANE_STATES,
            Map.of(),
            row -> new Cursor(new Lane(row.getInt("lane")), 0, atMost));
    return queries.ofLanes(
        connection,
        sql.statements().lanes(DeadStatement.RETRYING),
        lanes,
        only,
        row -> retrying(row));
  }

  private Retrying retrying(ResultSet row) throws SQLException {
    String key = row.getString("msg_key");
    return new Retrying(
        sql.dialect().messageId(row, row.findColumn("message_id")),
        row.getString("topic"),
        key == null ? null : new Key(key),
        row.getInt("attempts"),
        Objects.requireNonNull(at(row, "due_at")),
        Objects.requireNonNullElse(row.getString("last_error"), ""));
  }

  private record Delayed(long id, int lane) {}

  // in two steps, because a search would lock what it reads on MySQL
  @Override
  public boolean cancel(MessageId id) {
    return call(
        "cancel a message",
        connection ->
            sql
                .query(
                    connection,
                    DeadStatement.FIND_DELAYED,
                    Map.of("message_id", id),
                    row -> new Delayed(row.getLong("id"), row.getInt("lane")))
                .stream()
                .filter(delayed -> isOwn(delayed.lane()))
                .anyMatch(delayed -> isCancelled(connection, delayed.id(), id)));
  }

  private boolean isCancelled(Connection connection, long number, MessageId id) {
    Map<String, Object> values = Map.of("id", number, "message_id", id);
    return sql.update(connection, DeadStatement.CANCEL, values) == 1;
  }

  private boolean isOwn(int lane) {
    return lane >= firstLane() && lane <= lastLane();
  }

  private int firstLane() {
    ClusterScope scope = sql.tables().clusterScope();
    return scope.cluster() * scope.lanes();
  }

  private int lastLane() {
    return firstLane() + sql.tables().clusterScope().lanes() - 1;
  }

  @Override
  public Portion publishAgain(String topic, Instant after, Instant to, int atMost) {
    Map<String, Object> values = new HashMap<>();
    values.put("topic", topic);
    values.put("after", after);
    values.put("to", to);
    values.put("first", firstLane());
    values.put("last", lastLane());
    values.put("limit", atMost);
    return call(
        "publish archived messages again", connection -> publishAgain(connection, values, after));
  }

  private Portion publishAgain(Connection connection, Map<String, Object> values, Instant after) {
    Instant upTo =
        sql.query(
                connection,
                DeadStatement.NEXT_ARCHIVED,
                values,
                row -> Optional.ofNullable(sql.dialect().instant(row, 1)))
            .get(0)
            .orElse(null);
    if (upTo == null) {
      return new Portion(0, after);
    }
    values.put("up_to", upTo);
    return new Portion(sql.update(connection, DeadStatement.PUBLISH_AGAIN, values), upTo);
  }

  private <T> T call(String what, Session.Work<T> work) {
    return Session.once(dataSource, sql, limits, what, work);
  }
}
