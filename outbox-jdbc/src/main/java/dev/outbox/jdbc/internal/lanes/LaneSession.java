package dev.outbox.jdbc.internal.lanes;

import dev.outbox.Topics.Setting;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.cluster.ClusterTable;
import dev.outbox.jdbc.internal.ids.ToldIds;
import dev.outbox.jdbc.internal.moves.LaneQueries;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.operate.RelayTable;
import dev.outbox.jdbc.internal.operate.TopicTable;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.SettleStatement;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Claims by lanes over one connection.
 *
 * <p>Used by one thread.
 */
public final class LaneSession implements LaneStore {
  private final Session session;
  private final Sql sql;
  private final LaneQueries queries;
  private final LaneClaims claims;
  private final LaneSettling settling;
  private final ReadyReader ready;
  private final DueReader due;
  private final PendingQuery pendingQuery;
  private final TopicRelease topicRelease;
  private final OpenWriters writers;
  private final ClusterTable clusters;
  private final DelayedPromotion delayedPromotion;
  private final ToldIds told;

  public LaneSession(DataSource dataSource, Sql sql, LaneTerms terms) {
    this.session = new Session(dataSource, sql, Limits.below(terms.lease()));
    this.sql = sql;
    this.queries = new LaneQueries(sql);
    this.settling = new LaneSettling(session, sql, queries, terms);
    this.ready = new ReadyReader(sql, queries);
    this.due = new DueReader(sql, queries);
    this.pendingQuery = new PendingQuery(sql, queries);
    this.topicRelease = new TopicRelease(sql, queries);
    this.writers = new OpenWriters(sql);
    this.delayedPromotion = new DelayedPromotion(sql, queries);
    this.told = new ToldIds(session, sql, terms.layout(), terms.archive());
    this.clusters = ClusterTable.over(session, sql, terms.layout());
    this.claims = new LaneClaims(sql, queries, clusters, told, terms);
  }

  /** On what terms lanes are claimed. */
  public record LaneTerms(String owner, Duration lease, Layout layout, boolean archive) {}

  @Override
  public List<LaneClaim> claim(int atMost, Set<Lane> known) {
    return atMost < 1
        ? List.of()
        : Moves.transaction(
            session, "claim lanes", (lent, mode) -> claims.claim(lent, atMost, known, mode));
  }

  @Override
  public List<LaneClaim> reclaim(Set<Lane> known) {
    return Moves.transaction(
        session, "claim own lanes", (lent, mode) -> claims.reclaim(lent, known, mode));
  }

  @Override
  public PendingLanes look(List<Cursor> cursors, Set<String> heldTopics) {
    return session.read(
        "look for news", connection -> pendingQuery.at(connection, cursors, heldTopics));
  }

  @Override
  public List<StoredEnvelope> read(List<Cursor> cursors, long bytes) {
    return read(
        "read ready messages", cursors, connection -> ready.read(connection, cursors, bytes));
  }

  @Override
  public List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
    return read(
        "read past held topics",
        cursors,
        connection -> ready.readPast(connection, cursors, bytes, heldTopics, reach));
  }

  @Override
  public List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
    return read(
        "read due messages",
        cursors,
        connection -> due.read(connection, cursors, bytes, heldTopics));
  }

  private List<StoredEnvelope> read(
      String what, List<Cursor> cursors, Session.Work<List<StoredEnvelope>> work) {
    return cursors.isEmpty()
        ? List.of()
        : session.read(
            what,
            connection -> {
              cursors.forEach(cursor -> settling.read(cursor.lane(), connection));
              return work.run(connection);
            });
  }

  @Override
  public int release(List<Lease> leases, Set<String> heldTopics, int atMost) {
    return Moves.transaction(
        session,
        "release messages of topics",
        (lent, mode) -> topicRelease.run(lent, leases, heldTopics, atMost, mode));
  }

  @Override
  public int promoteDue(List<Lease> leases, int atMost) {
    return session.transaction(
        "promote delayed messages",
        connection -> delayedPromotion.promote(connection, leases, atMost));
  }

  @Override
  public Map<Lane, SettleResult> settle(List<Settlement> settlements) {
    return settlements.isEmpty() ? Map.of() : settling.write(settlements);
  }

  @Override
  public boolean suspect(Lease held, StoredEnvelope message) {
    Map<String, Object> values =
        Map.of(
            "lane", held.lane().number(),
            "owner", held.owner(),
            "epoch", held.epoch(),
            "id", message.id(),
            "message_id", message.envelope().id());
    return session.transaction(
        "note a suspect",
        connection -> sql.update(connection, SettleStatement.SUSPECT, values) == 1);
  }

  @Override
  public boolean restoreSuspect(Lease held, Suspect suspect) {
    Map<String, Object> values =
        Map.of(
            "lane", held.lane().number(),
            "owner", held.owner(),
            "epoch", held.epoch(),
            "id", suspect.id(),
            "deaths", suspect.deaths());
    return session.transaction(
        "restore a suspect",
        connection -> sql.update(connection, SettleStatement.RESTORE_SUSPECT, values) == 1);
  }

  @Override
  public Set<Lane> locked() {
    return session.transaction("look for locked lanes", claims::locked);
  }

  @Override
  public long newest(long id) {
    return told.newest(id);
  }

  @Override
  public long nextId() {
    return told.next();
  }

  @Override
  public GivenIds given(long next) {
    return told.given(next);
  }

  @Override
  public OpenTransactions openTransactions() {
    OpenTransactions known = writers.known();
    return known == null ? session.read("look for open transactions", writers::ask) : known;
  }

  @Override
  public boolean wereOpen(Set<String> transactions) {
    return writers.canTell(transactions)
        && session.read(
            "look for running transactions",
            connection -> writers.wereOpen(connection, transactions));
  }

  @Override
  public Map<String, Setting> topics() {
    return session.read(
        "read what is set per topic", connection -> TopicTable.all(sql, connection));
  }

  @Override
  public RelayRegistry registry() {
    return RelayTable.over(session, sql);
  }

  @Override
  public ClusterStore clusters() {
    return clusters;
  }

  @Override
  public void abort() {
    session.abort();
  }

  @Override
  public void close() {
    session.close();
  }
}
