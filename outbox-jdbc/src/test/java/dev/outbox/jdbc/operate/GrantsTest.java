package dev.outbox.jdbc.operate;

import static dev.outbox.Messages.Place.DEAD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Messages;
import dev.outbox.Outbox;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Relay;
import dev.outbox.Topics.Setting;
import dev.outbox.Transactions;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.jdbc.DocsPage;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.RelayListener;
import dev.outbox.servers.Database;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Usage.Role;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The grants of docs/operate-grants.md: enough to work with, and each of them missed by the doctor.
 */
@LooksAtWriters
class GrantsTest {
  private static final Pattern GRANT = Pattern.compile("GRANT (.*) ON (\\w+) TO (.*)");
  private static final String[] ROLES = {"writer", "relay", "operator"};

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void every_role_is_healthy_with_its_grants_and_told_of_each_that_is_taken(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      List<String> grants = granted(clinic, database);
      for (String role : ROLES) {
        assertThat(examine(clinic, role)).as(role).isEmpty();
      }
      for (String grant : grants) {
        takeEach(clinic, grant);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void the_tables_of_clusters_have_grants_of_their_own(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database, Clusters.of(3, 1))) {
      assertThat(granted(clinic, database)).isNotEmpty();
      List<String> grants = clinic.grant(DocsPage.SEVERAL_CLUSTERS.statements("grants", database));
      for (String role : ROLES) {
        assertThat(examine(clinic, role)).as(role).isEmpty();
      }
      for (String grant : grants) {
        takeEach(clinic, grant);
      }
      try (LaneStore relay =
          JdbcStore.create(user(clinic, "relay")).lanes("a", Duration.ofMinutes(1))) {
        takeOverAndReturn(relay, Handover.create(JdbcStore.create(user(clinic, "operator"))));
      }
    }
  }

  private static void takeOverAndReturn(LaneStore relay, Handover handover) {
    ClusterStore clusters = relay.clusters();
    ClusterView roll = clusters.beat(Duration.ofMinutes(1), Map.of());
    Lease lease = relay.claim(1).get(0).lease();
    Lane theirs = new Lane(lease.lane().number() - 32);
    assertThat(clusters.adopt(lease, theirs, roll, Extent.ALL, 10)).isZero();
    assertThat(clusters.adopt(lease, theirs, roll, List.of(new Orphan(1, false)))).isZero();
    assertThat(clusters.sweep(Duration.ofDays(7))).isZero();
    handover.leave();
    handover.comeBack();
    assertThat(clusters.resume(clusters.roll().since())).isTrue();
  }

  @Test
  void a_relay_that_may_not_read_the_sequences_says_so_and_starts() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES)) {
      granted(clinic, Database.POSTGRES);
      String names = "outbox_id_seq, outbox_delayed_id_seq, outbox_dead_dead_id_seq";
      clinic.run("REVOKE SELECT ON SEQUENCE " + names + " FROM " + clinic.user("relay"));
      DoctorCases.assertOnly(examine(clinic, "relay"), "cannot-check");
      DoctorCases.assertWarning(
          examine(clinic, "relay"),
          "cannot-check",
          "GRANT SELECT ON SEQUENCE public.outbox_id_seq, public.outbox_delayed_id_seq, public.outbox_dead_dead_id_seq TO");
      try (LaneStore relay =
          JdbcStore.create(user(clinic, "relay")).lanes("a", Duration.ofMinutes(1))) {
        assertThat(relay.nextId()).isEqualTo(LaneStore.UNTOLD);
        assertThat(relay.claim(1)).hasSize(1);
        clinic.run("GRANT SELECT ON SEQUENCE " + names + " TO " + clinic.user("relay"));
        assertThat(relay.nextId()).as("without a restart").isEqualTo(1);
      }
    }
  }

  private static void takeEach(Clinic clinic, String grant) throws SQLException {
    Matcher parts = GRANT.matcher(grant);
    assertThat(parts.matches()).as(grant).isTrue();
    String user = parts.group(3);
    String role = user.replaceAll("[^a-z]+$", "").replaceAll(".*_", "").replaceAll("'.*", "");
    for (String privilege : parts.group(1).split(", ", -1)) {
      String one = privilege + " ON " + parts.group(2);
      clinic.run("REVOKE " + one + " FROM " + user);
      List<Finding> findings = examine(clinic, role);
      assertThat(findings)
          .as("without " + one)
          .extracting(Finding::code)
          .contains("grants-missing");
      assertThat(findings.get(0).text())
          .as("without " + one)
          .containsIgnoringCase("GRANT " + one + " TO " + user + ";");
      clinic.run("GRANT " + one + " TO " + user);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_grants_are_enough_to_deliver_park_bury_promote_replay_and_purge(Database database)
      throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      granted(clinic, database);
      Outbox outbox = Outbox.create(JdbcStore.create(user(clinic, "writer")));
      Transactions.run(
          user(clinic, "writer"),
          outbox,
          connection ->
              outbox.enqueue(
                  connection,
                  List.of(
                      Message.to("good").key("k").text("1"),
                      Message.to("good").deliverAfter(Duration.ofMillis(10)).text("2"),
                      Message.to("flaky").key("k").text("3"),
                      Message.to("bad").text("4"))));
      Seen seen = new Seen(new CountDownLatch(2), new CountDownLatch(1), new CountDownLatch(2));
      DeadLetters letters = DeadLetters.create(JdbcStore.create(user(clinic, "operator")));
      try (Relay relay =
          Relay.builder(JdbcStore.create(user(clinic, "relay")), seen::publish)
              .listener(seen)
              .start()) {
        assertThat(relay.name()).isNotEmpty();
        assertThat(seen.delivered().await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(seen.parked().await(20, TimeUnit.SECONDS)).isTrue();
        letters.replay(numbers(letters, seen));
        assertThat(seen.deadLettered().await(20, TimeUnit.SECONDS)).isTrue();
      }
      MessageId dead = letters.page(0, 1).get(0).envelope().id();
      Messages messages = Messages.create(JdbcStore.create(user(clinic, "operator")));
      assertThat(messages.find(dead)).extracting(Messages.Found::place).containsExactly(DEAD);
      assertThat(messages.cancel(enqueuedForLater(outbox, user(clinic, "writer")))).isTrue();
      assertThat(letters.discard(List.of(letters.page(0, 1).get(0).id()))).isEqualTo(1);
      assertThat(letters.purge(Duration.ZERO)).isZero();
      assertThat(letters.count(10)).isZero();
    }
  }

  private static MessageId enqueuedForLater(Outbox outbox, DataSource writer) throws SQLException {
    try (Connection connection = writer.getConnection()) {
      connection.setAutoCommit(false);
      Message later = Message.to("good").deliverAfter(Duration.ofHours(1)).text("later");
      MessageId id = outbox.enqueue(connection, later);
      connection.commit();
      return id;
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_grants_are_enough_to_hold_release_look_and_put_a_holding_letter_back(Database database)
      throws Exception {
    try (Clinic clinic = new Clinic(database)) {
      granted(clinic, database);
      Outbox outbox = Outbox.create(JdbcStore.create(user(clinic, "writer")));
      Transactions.run(
          user(clinic, "writer"),
          outbox,
          connection ->
              outbox.enqueue(
                  connection,
                  List.of(Message.to("t").key("k").text("1"), Message.to("t").key("k").text("2"))));
      JdbcStore operator = JdbcStore.create(user(clinic, "operator"));
      operator.topics().change("t", setting -> setting.withPaused(true));
      operator.topics().change("t", setting -> setting.withStrict(true));
      try (LaneStore relay =
          JdbcStore.create(user(clinic, "relay")).lanes("a", Duration.ofMinutes(1))) {
        assertThat(relay.topics()).containsOnlyKeys("t");
        assertThat(relay.nextId()).isEqualTo(3);
        assertThat(relay.given(3).reach(3)).isFalse();
        holdAndBury(relay);
        DeadLetter holder = operator.deadLetters().page(Filter.all(), 0, 1).get(0);
        assertThat(operator.deadLetters().replay(List.of(holder.id()))).isEqualTo(1);
        buryDue(relay);
        holder = operator.deadLetters().page(Filter.all(), 0, 1).get(0);
        assertThat(operator.deadLetters().discard(List.of(holder.id()))).isEqualTo(1);
        assertThat(due(relay)).hasSize(1);
        assertThat(relay.openTransactions() instanceof OpenTransactions.Known)
            .isEqualTo(database != Database.H2);
      }
      operator.topics().change("t", setting -> Setting.NONE);
      assertThat(operator.snapshot(10).parked()).isEqualTo(1);
    }
  }

  private LaneClaim claim;

  /** The first message dies and holds its key, the second is held with its topic behind it. */
  private void holdAndBury(LaneStore relay) {
    Lane lane = LaneHash.of(new Key("k"), 32);
    claim =
        relay.claim(32).stream()
            .filter(each -> each.lease().lane().equals(lane))
            .findFirst()
            .orElseThrow();
    List<StoredEnvelope> ready = relay.read(List.of(new LaneStore.Cursor(lane, 0, 10)), 1 << 20);
    relay.suspect(claim.lease(), ready.get(0));
    settle(
        relay,
        new Fate.Bury(ready.get(0), Reason.REJECTED, "e", 1, "h", true),
        new Fate.Park(ready.get(1), HoldReason.TOPIC, 0, null, null, ""));
    assertThat(relay.release(List.of(claim.lease()), Set.of(), 10)).isZero();
    assertThat(relay.look(List.of(new LaneStore.Cursor(lane, 0, 10)), Set.of()).due()).isEmpty();
  }

  private void buryDue(LaneStore relay) {
    StoredEnvelope first = due(relay).get(0);
    assertThat(first.envelope().payload().text()).isEqualTo("1");
    settle(relay, new Fate.Bury(first, Reason.REJECTED, "e", 1, "h", true));
  }

  private List<StoredEnvelope> due(LaneStore relay) {
    return relay.readDue(
        List.of(new LaneStore.Cursor(claim.lease().lane(), 0, 10)), 1 << 20, Set.of());
  }

  private void settle(LaneStore relay, Fate... fates) {
    relay.settle(List.of(new Settlement(claim.lease(), 0, List.of(fates), Settlement.After.RENEW)));
  }

  private static List<DeadLetter.Id> numbers(DeadLetters letters, Seen seen)
      throws InterruptedException {
    while (seen.deadLettered().getCount() > 1) {
      Thread.onSpinWait();
    }
    return letters.page(0, 10).stream().map(DeadLetter::id).toList();
  }

  private record Seen(CountDownLatch delivered, CountDownLatch parked, CountDownLatch deadLettered)
      implements RelayListener {
    void publish(Flight flight) {
      for (Envelope envelope : flight.envelopes()) {
        flight.ack(
            envelope,
            switch (envelope.topic()) {
              case "good" -> Ack.delivered();
              case "bad" -> Ack.rejected("bad by nature");
              default -> Ack.failed(new IllegalStateException("flaky"));
            });
      }
    }

    @Override
    public void settled(Settled settled) {
      for (int i = 0; i < settled.delivered(); i++) {
        delivered.countDown();
      }
      if (settled.parked() > 0) {
        parked.countDown();
      }
    }

    @Override
    public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
      deadLettered.countDown();
    }
  }

  private static List<Finding> examine(Clinic clinic, String role) {
    return clinic.examine(
        user(clinic, role), Clinic.need(Role.valueOf(role.toUpperCase(Locale.ROOT))));
  }

  private static DataSource user(Clinic clinic, String role) {
    return clinic.pool(clinic.user(role));
  }

  /** Makes the users and runs the page's grants for them. */
  private static List<String> granted(Clinic clinic, Database database) throws SQLException {
    for (String role : ROLES) {
      clinic.createUser(role);
    }
    if (database == Database.MYSQL || database == Database.MARIADB) {
      clinic.runAsAdmin("GRANT PROCESS ON *.* TO " + clinic.user("relay"));
    }
    if (database == Database.POSTGRES) {
      clinic.grant(DocsPage.OPERATE_GRANTS.statements("ids", database));
    }
    return clinic.grant(DocsPage.OPERATE_GRANTS.statements("grants", database));
  }
}
