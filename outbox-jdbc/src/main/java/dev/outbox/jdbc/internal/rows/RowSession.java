package dev.outbox.jdbc.internal.rows;

import dev.outbox.Topics.Setting;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.ids.TakenIds;
import dev.outbox.jdbc.internal.lanes.DelayedPromotion;
import dev.outbox.jdbc.internal.lanes.TopicRelease;
import dev.outbox.jdbc.internal.message.MessageColumns;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.MoveRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.moves.Moves.BatchMode;
import dev.outbox.jdbc.internal.moves.SkipLockedRead;
import dev.outbox.jdbc.internal.operate.RelayTable;
import dev.outbox.jdbc.internal.operate.TopicTable;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.ClaimSql;
import dev.outbox.jdbc.sql.RowStatement;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Claims by rows over one connection.
 *
 * <p>Used by one thread.
 */
public final class RowSession implements RowStore {
  private final Session session;
  private final Sql sql;
  private final DelayedPromotion delayedPromotion;
  private final TopicRelease topicRelease;
  private final RowTransaction.Keeping keeping;
  private @Nullable RowTransaction open;

  public RowSession(DataSource dataSource, Sql sql, Duration longestClaim, boolean archive) {
    this.session = new Session(dataSource, sql, Limits.above(longestClaim));
    this.sql = sql;
    LaneQueries queries = new LaneQueries(sql);
    this.delayedPromotion = new DelayedPromotion(sql, queries);
    this.topicRelease = new TopicRelease(sql, queries);
    this.keeping = new RowTransaction.Keeping(archive, new TakenIds(sql, queries));
  }

  @Override
  public RowClaim claim(int atMost, Set<String> heldTopics) {
    return claim(
        "claim ready messages",
        sql.statements().claim(RowStatement.CLAIM_READY),
        Map.of("limit", atMost, "held", heldTopics),
        new Ready(sql));
  }

  @Override
  public RowClaim claimDue(int atMost, Set<String> heldTopics) {
    return claim(
        "claim due messages",
        sql.statements().claim(RowStatement.CLAIM_DUE),
        Map.of("limit", atMost, "held", heldTopics),
        this::parked);
  }

  @Override
  public int release(Set<String> heldTopics, int atMost) {
    closeOpen();
    return session.transaction(
        "release messages of topics",
        connection -> topicRelease.run(connection, heldTopics, atMost));
  }

  @Override
  public Map<String, Setting> topics() {
    closeOpen();
    return session.transaction(
        "read what is set per topic", connection -> TopicTable.all(sql, connection));
  }

  @Override
  public RelayRegistry registry() {
    closeOpen();
    return RelayTable.over(session, sql);
  }

  @Override
  public void abort() {
    session.abort();
  }

  private record Ready(Sql sql) implements Sql.Reader<ClaimedRow> {
    @Override
    public ClaimedRow read(ResultSet row) throws SQLException {
      return of(row).read(row);
    }

    @Override
    public Sql.Reader<ClaimedRow> of(ResultSet rows) throws SQLException {
      MessageColumns columns = MessageColumns.all(rows, sql);
      return row -> new ClaimedRow.Ready(columns.read(row));
    }
  }

  private ClaimedRow parked(ResultSet row) throws SQLException {
    return new ClaimedRow.Parked(ParkedRow.read(row, sql));
  }

  private RowClaim claim(
      String what, ClaimSql claim, Map<String, Object> values, Sql.Reader<ClaimedRow> reader) {
    closeOpen();
    RowTransaction begun =
        session.begin(
            what, connection -> transaction(connection, take(connection, claim, values, reader)));
    if (begun.messages().isEmpty()) {
      session.rollback();
    }
    open = begun;
    return begun;
  }

  private RowTransaction transaction(Connection connection, List<ClaimedRow> rows) {
    List<ClaimedRow> ordered =
        rows.stream().sorted(Comparator.comparingLong(row -> row.message().id())).toList();
    return new RowTransaction(session, connection, sql, ordered, keeping);
  }

  private List<ClaimedRow> take(
      Connection connection,
      ClaimSql claim,
      Map<String, Object> values,
      Sql.Reader<ClaimedRow> reader) {
    if (claim instanceof ClaimSql.Returning returning) {
      return sql.query(connection, returning.sql(), values, reader);
    }
    ClaimSql.LockThenDelete claims = (ClaimSql.LockThenDelete) claim;
    List<ClaimedRow> rows = SkipLockedRead.read(sql, connection, claims.lock(), values, reader);
    delete(connection, claims.delete(), rows);
    return rows;
  }

  private void delete(Connection connection, ByIds delete, List<ClaimedRow> rows) {
    List<MoveRow> moved =
        rows.stream()
            .map(
                row ->
                    MoveRow.at(row.message().lane(), row.message().id(), row.message().messageId()))
            .sorted(MoveRow.IN_ORDER)
            .toList();
    if (new Moves(sql, connection, BatchMode.TOGETHER).total(delete, moved) != moved.size()) {
      throw Faults.lostRace("a locked message is gone", null);
    }
  }

  @Override
  public int promoteDue(int atMost) {
    closeOpen();
    return session.transaction(
        "promote delayed messages", connection -> delayedPromotion.promote(connection, atMost));
  }

  private void closeOpen() {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  @Override
  public void close() {
    closeOpen();
    session.close();
  }
}
