package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.OwnServers;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.proof.Journals.Repeat;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A sandbox with outbox and business tables, writers' access to it, a fleet and its journals. The
 * journals and logs stay in {@code target/proof}.
 *
 * <p>Used by one thread, but for the outbox and the pool.
 */
final class Stage implements AutoCloseable {
  static final int LANES = 32;
  private final Sandbox sandbox;
  private final HikariDataSource pool;
  private final Path folder;
  private final Outbox outbox;
  private final Fleet fleet;
  private final Journals journals;

  private Stage(Sandbox sandbox, Claiming claiming) throws IOException, SQLException {
    this.sandbox = sandbox;
    this.pool = RelayUnit.pool("writers", login(sandbox.url()), 24);
    this.folder = Files.createDirectories(Path.of("target", "proof", sandbox.name()));
    Schema.builder(pool).claiming(claiming).lanes(LANES).create();
    new Ledger(pool).create();
    this.outbox = Outbox.create(JdbcStore.create(pool));
    this.fleet = new Fleet(folder);
    this.journals = new Journals(folder);
  }

  static Stage byLanes(Database database) throws IOException, SQLException {
    return new Stage(OwnServers.OF_PROOFS.on(database).sandbox(), Claiming.LANES);
  }

  static Stage byRows(Database database) throws IOException, SQLException {
    return new Stage(OwnServers.OF_PROOFS.on(database).sandbox(), Claiming.ROWS);
  }

  Sandbox sandbox() {
    return sandbox;
  }

  HikariDataSource pool() {
    return pool;
  }

  Outbox outbox() {
    return outbox;
  }

  Fleet fleet() {
    return fleet;
  }

  Ledger ledger() {
    return new Ledger(pool);
  }

  /** Read again. */
  Journals journals() {
    return journals.refresh();
  }

  /** Terms of a relay with its journal here. */
  RelayTerms terms(String label) {
    return RelayTerms.of(label, folder, login(sandbox.url()));
  }

  RelayTerms.Login login(String url) {
    return new RelayTerms.Login(url, sandbox.user(), sandbox.password());
  }

  Writers writers(Writers.Plan plan, KeyRing keys, long messages) {
    return new Writers(pool, outbox, plan, keys, messages);
  }

  /** How many lanes each relay owns, by label. */
  Map<String, Integer> lanes() throws SQLException {
    Map<String, Integer> lanes = new TreeMap<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT owner FROM outbox_lane WHERE owner IS NOT NULL")) {
      while (rows.next()) {
        String owner = rows.getString(1);
        lanes.merge(owner.substring(0, owner.lastIndexOf('-')), 1, Integer::sum);
      }
    }
    return lanes;
  }

  /** How many lanes nobody has locked at this moment. */
  int freeLanes() throws SQLException {
    int free = 0;
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      try (ResultSet rows =
          statement.executeQuery("SELECT lane FROM outbox_lane FOR UPDATE SKIP LOCKED")) {
        while (rows.next()) {
          free++;
        }
      }
      connection.rollback();
    }
    return free;
  }

  /** Waits until these relays own that many lanes, all lanes together; returns how long it took. */
  Duration awaitLanes(Duration bound, Map<String, Integer> wanted) {
    return Await.until("lanes " + wanted, bound, () -> lanes().equals(wanted));
  }

  long count(String table) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Waits until no message is left in the ready table. */
  Duration awaitDrained(Duration bound) {
    return Await.until("no message left to publish", bound, () -> count("outbox") == 0);
  }

  /** The ids of the messages in the ready table. */
  Set<String> ready() throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT message_id FROM outbox")) {
      while (rows.next()) {
        ids.add(messageId(rows));
      }
    }
    return ids;
  }

  private static String messageId(ResultSet row) throws SQLException {
    Object id = row.getObject(1);
    return id instanceof byte[] bytes ? MessageId.fromBytes(bytes).toString() : id.toString();
  }

  /** Waits until each of these relays has settled something after this moment. */
  void awaitTraffic(Duration bound, List<String> labels) {
    long now = System.nanoTime();
    for (String label : labels) {
      Await.until(
          label + " settles",
          bound,
          () -> journals().of(NoteKind.SETTLED, label).anyMatch(note -> note.at() > now));
    }
  }

  /** What of {@code unsettled} was ever handed to this relay's publisher. */
  Set<String> inFlight(String label, Set<String> unsettled) {
    return inFlight(label, unsettled, Long.MAX_VALUE);
  }

  /** The same, up to the moment {@code nanos}. */
  Set<String> inFlight(String label, Set<String> unsettled, long nanos) {
    return journals().aboard(label, nanos).filter(unsettled::contains).collect(Collectors.toSet());
  }

  /** Waits until none of these is in the ready table any more. */
  void awaitSettled(Set<String> ids, Duration bound) {
    Await.until(ids.size() + " messages settled", bound, () -> Collections.disjoint(ready(), ids));
  }

  /** No message waits, none was held, none is dead. */
  void assertTablesAreEmpty() throws SQLException {
    for (String table : List.of("outbox", "outbox_parked", "outbox_delayed", "outbox_dead")) {
      assertThat(count(table)).as("rows of " + table).isZero();
    }
  }

  /**
   * Nothing was lost or out of order, only what is in {@code inFlight} was repeated, these relays
   * lost neither a lane nor the database, and nothing is left. What happened before {@code warm},
   * when JVMs and servers had just started, may be explained by a lease that ran out for want of
   * processor time.
   */
  void assertOnlyRepeated(Set<String> inFlight, long warm, List<String> innocent)
      throws SQLException {
    assertThat(verdict(repeat -> repeat.first().at() < warm || inFlight.contains(repeat.id())))
        .matches(Verdict::passes);
    assertThat(
            Stream.concat(journals.of(NoteKind.FENCED), journals.troubles(JournalingListener.DOWN))
                .filter(note -> note.at() > warm && innocent.contains(note.who())))
        .isEmpty();
    assertThat(journals.settled(3)).as("settled rows that were missing").isZero();
    assertTablesAreEmpty();
  }

  Database database() {
    return sandbox.server().database();
  }

  /** What the one judge says, if the repeats are excused that are {@code explained}. */
  Verdict verdict(Predicate<Repeat> explained) throws SQLException {
    Verdict verdict = journals().verdict(ledger().committed(), explained);
    Proof.tell("%s: committed=%d %s".formatted(database(), verdict.committed(), verdict.summary()));
    return verdict;
  }

  @Override
  public void close() {
    fleet.close();
    pool.close();
    sandbox.close();
  }
}
