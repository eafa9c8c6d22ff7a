package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.Archive;
import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.jdbc.DocsPage;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The grants of the pages for the tables that are there only when used: enough to receive, to
 * enqueue once, to keep what was delivered and to purge, and none too many.
 */
@LooksAtWriters
class OptionalGrantsTest {
  private static final Pattern GRANT = Pattern.compile("GRANT (.*) ON (\\w+) TO (\\w+)");

  private static final List<String> ROLES = List.of("consumer", "writer", "relay", "keeper");
  private static final String TOPIC = "orders";

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_grants_are_enough_and_each_of_them_is_needed(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      Schema.builder(clinic.pool())
          .with(Schema.Part.RECEIPT)
          .with(Schema.Part.DEDUPE)
          .with(Schema.Part.ARCHIVE)
          .create();
      for (String role : ROLES) {
        clinic.createUser(role);
      }
      clinic.grant(
          DocsPage.OPERATE_GRANTS.statements("grants", database).stream()
              .filter(grant -> !grant.contains("app_operator"))
              .toList());
      List<String> grants = new ArrayList<>();
      grants.addAll(clinic.grant(DocsPage.OPERATE_GRANTS.statements("archive", database)));
      grants.addAll(clinic.grant(DocsPage.CONSUME_ONCE.statements("grants", database)));
      for (String role : ROLES) {
        work(clinic, clinic.user(role));
      }
      assertThat(unneeded(clinic, grants)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_with_an_archive_that_it_may_not_read_delivers(Database database) throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      Schema.builder(clinic.pool()).with(Schema.Part.ARCHIVE).create();
      for (String role : List.of("writer", "relay", "operator", "keeper")) {
        clinic.createUser(role);
      }
      clinic.grant(DocsPage.OPERATE_GRANTS.statements("grants", database));
      if (database == Database.POSTGRES) {
        clinic.grant(DocsPage.OPERATE_GRANTS.statements("ids", database));
      }
      clinic.grant(DocsPage.OPERATE_GRANTS.statements("archive", database));
      drain(clinic, "kept");
      clinic.grant(DocsPage.OPERATE_GRANTS.statements("archive-ids", database));
      clinic.run("UPDATE outbox_archive SET id = 500");
      try (LaneStore lanes = archiving(clinic).lanes("a", Duration.ofMinutes(1))) {
        assertThat(lanes.given(2).highest()).isEqualTo(500);
      }
      drain(clinic, "kept too");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_keeper_of_an_archive_needs_the_grants_of_its_page_only(Database database)
      throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      Schema.builder(clinic.pool()).with(Schema.Part.ARCHIVE).create();
      clinic.createUser("relay");
      clinic.createUser("keeper");
      clinic.grant(DocsPage.OPERATE_GRANTS.statements("archive", database));
      deliver(clinic, clinic.pool());
      DataSource keeper = clinic.pool(clinic.user("keeper"));
      JdbcStore store = JdbcStore.builder(keeper).archive().build();
      assertThat(Archive.create(store).purge(Duration.ZERO)).isEqualTo(1);
    }
  }

  private static JdbcStore archiving(Clinic clinic) {
    return JdbcStore.builder(clinic.pool(clinic.user("relay"))).archive().build();
  }

  private static void drain(Clinic clinic, String text) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
    try (Connection connection = begin(clinic.pool())) {
      outbox.enqueue(connection, Message.to(TOPIC).key("k").text(text));
      connection.commit();
    }
    List<String> published = new ArrayList<>();
    Publisher publisher = Publisher.blocking(envelope -> published.add(envelope.payload().text()));
    try (ManualRelay relay = ManualRelay.of(archiving(clinic), publisher)) {
      relay.drainNow();
    }
    assertThat(published).containsExactly(text);
  }

  /** Takes every single privilege down, and returns it. */
  private static List<String> unneeded(Clinic clinic, List<String> grants) throws SQLException {
    List<String> unneeded = new ArrayList<>();
    for (String grant : grants) {
      Matcher parts = GRANT.matcher(grant);
      assertThat(parts.matches()).as(grant).isTrue();
      for (String privilege : parts.group(1).split(", ", -1)) {
        String one = privilege + " ON " + parts.group(2);
        clinic.run("REVOKE " + one + " FROM " + parts.group(3));
        Throwable refused = catchThrowable(() -> work(clinic, parts.group(3)));
        clinic.run("GRANT " + one + " TO " + parts.group(3));
        if (refused == null) {
          unneeded.add(one + " TO " + parts.group(3));
        } else {
          assertThat(refused).as("without " + one).isInstanceOf(StoreException.class);
        }
      }
    }
    return unneeded;
  }

  private static void work(Clinic clinic, String user) throws SQLException {
    DataSource dataSource = clinic.pool(user);
    if (user.endsWith("_consumer")) {
      receive(dataSource);
    } else if (user.endsWith("_writer")) {
      enqueue(dataSource);
    } else if (user.endsWith("_relay")) {
      deliver(clinic, dataSource);
    } else {
      purge(clinic, dataSource);
    }
  }

  /** New ones, repeats, and both. */
  private static void receive(DataSource consumer) throws SQLException {
    Inbox inbox = Inbox.create(JdbcInbox.create(consumer));
    List<MessageId> ids = Stream.generate(MessageId::next).limit(3).toList();
    for (int some = 2; some <= 3; some++) {
      try (Connection connection = begin(consumer)) {
        assertThat(inbox.receive(connection, "mailer", ids.subList(0, some)).fresh())
            .hasSize(some == 2 ? 2 : 1);
        connection.commit();
      }
    }
  }

  /** New ones, repeats, and one that is to be kept no longer. */
  private static void enqueue(DataSource writer) throws SQLException {
    JdbcStore store = JdbcStore.create(writer);
    Outbox outbox = Outbox.create(store);
    String own = MessageId.next().toString();
    Message first = Message.to(TOPIC).dedupeKey(own).text("1");
    Message second = Message.to(TOPIC).dedupeKey(own + " 2").text("2");
    try (Connection connection = begin(writer)) {
      List<MessageId> ids = outbox.enqueue(connection, List.of(first, second));
      assertThat(outbox.enqueue(connection, List.of(second, first)))
          .containsExactly(ids.get(1), ids.get(0));
      MessageId over = expiring(store, connection, own + " 3");
      assertThat(outbox.enqueue(connection, Message.to(TOPIC).dedupeKey(own + " 3").text("3")))
          .isNotEqualTo(over);
      connection.commit();
    }
  }

  private static MessageId expiring(JdbcStore store, Connection connection, String key) {
    MessageId id = MessageId.next();
    TreeMap<DedupeKey, MessageId> ids = new TreeMap<>();
    ids.put(new DedupeKey(TOPIC, key), id);
    store.dedupe().take(connection, ids, Duration.ZERO);
    return id;
  }

  private static void deliver(Clinic clinic, DataSource relay) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(clinic.pool()));
    try (Connection connection = begin(clinic.pool())) {
      outbox.enqueue(connection, Message.to(TOPIC).key("k").text("kept"));
      connection.commit();
    }
    JdbcStore store = JdbcStore.builder(relay).archive().build();
    try (LaneStore lanes = store.lanes(MessageId.next().toString(), Duration.ofMinutes(1))) {
      Lane lane = LaneHash.of(new Key("k"), 32);
      Lease lease =
          lanes.claim(32).stream()
              .map(LaneClaim::lease)
              .filter(each -> each.lane().equals(lane))
              .findFirst()
              .orElseThrow();
      List<Fate> fates = new ArrayList<>();
      lanes
          .read(List.of(new LaneStore.Cursor(lane, 0, 10)), 1 << 20)
          .forEach(storedEnvelope -> fates.add(new Fate.Deliver(storedEnvelope)));
      assertThat(fates).isNotEmpty();
      lanes.settle(List.of(new Settlement(lease, 0, fates, Settlement.After.RELEASE)));
    } finally {
      clinic.run("UPDATE outbox_lane SET owner = NULL, lease_until = NULL");
    }
  }

  private static void purge(Clinic clinic, DataSource keeper) throws SQLException {
    DataSource owner = clinic.pool();
    deliver(clinic, owner);
    try (Connection connection = begin(owner)) {
      JdbcInbox.create(owner)
          .receive(connection, "mailer", List.of(MessageId.next()), Duration.ZERO);
      expiring(JdbcStore.create(owner), connection, MessageId.next().toString());
      connection.commit();
    }
    assertThat(Inbox.create(JdbcInbox.create(keeper)).purge()).isPositive();
    JdbcStore store = JdbcStore.builder(keeper).archive().build();
    assertThat(Outbox.create(store).purgeDedupeKeys()).isPositive();
    assertThat(Archive.create(store).purge(Duration.ZERO)).isPositive();
  }

  private static Connection begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }
}
