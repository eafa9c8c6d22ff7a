package dev.outbox.tck.store.append;

import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Applications come with sessions of every isolation level and time zone. */
public abstract class CallerCases extends StoreCases {
  protected CallerCases(Opener opener) {
    super(opener);
  }

  private static final List<Integer> ISOLATIONS =
      List.of(
          Connection.TRANSACTION_READ_COMMITTED,
          Connection.TRANSACTION_REPEATABLE_READ,
          Connection.TRANSACTION_SERIALIZABLE);

  private static final List<ZoneOffset> ZONES =
      List.of(ZoneOffset.ofHours(-11), ZoneOffset.ofHoursMinutes(5, 30), ZoneOffset.ofHours(13));

  @Test
  void a_caller_of_any_isolation_commits_while_a_relay_claims_and_settles() throws Exception {
    for (int isolation : ISOLATIONS) {
      commit(numbered("before", 10));
      Connection connection = begin(isolation);
      store().append(connection, numbered("caller", 10));
      LaneStore relay = relay("relay " + isolation);
      Lease lease = Crew.within(SOON, () -> claimFirst(relay));
      Crew.within(SOON, () -> settled(settle(relay, lease, deliver(readAll(relay)))));
      store().append(connection, numbered("more", 10));
      connection.commit();
      connection.close();
      assertThat(readAll(relay)).hasSize(20);
      settled(settle(relay, lease, deliver(readAll(relay))));
      release(relay, lease);
    }
  }

  @Test
  void callers_of_any_isolation_write_one_lane_at_the_same_time() throws Exception {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < 6; writer++) {
      int number = writer;
      Connection connection = begin(ISOLATIONS.get(writer % ISOLATIONS.size()));
      writers.add(() -> write(connection, "writer " + number));
    }
    Crew.together(writers);
    List<String> texts = texts(readAll(relay("a")));
    assertThat(texts).hasSize(6 * 20);
    for (int writer = 0; writer < 6; writer++) {
      String key = "writer " + writer;
      assertThat(texts.stream().filter(text -> text.startsWith(key)))
          .containsExactlyElementsOf(numbers(key, 20));
    }
  }

  private int write(Connection connection, String key) throws SQLException {
    for (NewEnvelope newEnvelope : numbered(key, 20)) {
      store().append(connection, List.of(newEnvelope));
      connection.commit();
    }
    return 20;
  }

  @Test
  void a_session_in_another_time_zone_delays_by_the_same_clock() throws Exception {
    for (ZoneOffset zone : ZONES) {
      try (Connection connection = environment().connectionIn(zone)) {
        connection.setAutoCommit(false);
        Instant inAnHour = store().now().plus(Duration.ofHours(1));
        store()
            .append(
                connection,
                List.of(Sample.after(Duration.ofHours(1), "after"), Sample.at(inAnHour, "at")));
        connection.commit();
      }
    }
    LaneStore relay = relay("a");
    List<Lease> leases = claimAll(relay);
    passTime(Duration.ofMinutes(55));
    assertThat(relay.promoteDue(leases, 10)).isZero();
    passTime(Duration.ofMinutes(6));
    assertThat(relay.promoteDue(leases, 10)).isEqualTo(6);
  }

  @Test
  void a_session_in_another_time_zone_keeps_the_end_of_a_message() throws Exception {
    Instant notAfter = store().now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    for (ZoneOffset zone : ZONES) {
      try (Connection connection = environment().connectionIn(zone)) {
        connection.setAutoCommit(false);
        store().append(connection, List.of(Sample.ready(LANE, Sample.expiring("short", notAfter))));
        connection.commit();
      }
    }
    LaneStore relay = relay("a");
    assertThat(readAll(relay))
        .hasSize(3)
        .allSatisfy(
            storedEnvelope -> assertThat(storedEnvelope.envelope().notAfter()).isEqualTo(notAfter))
        .allSatisfy(storedEnvelope -> assertThat(storedEnvelope.defect()).isNull());
  }

  @Test
  void a_lease_is_seen_alike_from_every_time_zone() throws Exception {
    for (ZoneOffset zone : ZONES) {
      try (LaneStore near = store().lanes("near " + zone, LEASE);
          LaneStore far = environment().storeIn(zone).lanes("far " + zone, LEASE)) {
        List<Lease> leases = claimAll(near);
        assertThat(leases).hasSize(4);
        assertThat(far.claim(4)).isEmpty();
        leases.forEach(lease -> release(near, lease));
        List<Lease> others = claimAll(far);
        assertThat(others).hasSize(4);
        assertThat(near.claim(4)).isEmpty();
        others.forEach(lease -> release(far, lease));
      }
    }
  }

  @Test
  void the_clock_is_the_same_in_every_time_zone() throws Exception {
    for (ZoneOffset zone : ZONES) {
      Duration apart = Duration.between(store().now(), environment().storeIn(zone).now());
      assertThat(apart).isLessThan(Duration.ofMinutes(1)).isGreaterThan(Duration.ofMinutes(-1));
    }
  }
}
