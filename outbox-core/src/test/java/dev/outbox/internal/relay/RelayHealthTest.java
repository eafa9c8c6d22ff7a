package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.RelayStatus;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelayCounters.Sample;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayHealthTest {
  private static final RelayHealth FINE = new RelayHealth(true, false, null, null);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static RelayStatus status(RelayHealth health, Set<Lane> careful) {
    return status(health, careful, "");
  }

  private static RelayStatus status(RelayHealth health, Set<Lane> careful, String ids) {
    RelayCounters counters = new RelayCounters();
    counters.sample(
        new Sample(Set.of(), careful, 0, 0, Map.of(), ids, "", null, null), RelayListener.SILENT);
    return health.status("r", counters, Samples.atSecond(0));
  }

  @Test
  void ids_that_went_back_degrade_it_and_the_reason_says_how_they_are_raised() {
    RelayStatus status = status(FINE, Set.of(new Lane(3)), "ids went back. Run: raise");

    assertThat(status.health()).isEqualTo(RelayStatus.Health.DEGRADED);
    assertThat(status.reason()).isEqualTo("ids went back. Run: raise");
  }

  @Test
  void a_relay_that_works_is_up() {
    assertThat(status(FINE, Set.of()).health()).isEqualTo(RelayStatus.Health.UP);
  }

  @Test
  void a_purge_that_fails_degrades_it_and_is_distinguished() {
    RelayStatus status = status(new RelayHealth(true, false, null, MINUTE), Set.of());

    assertThat(status.health()).isEqualTo(RelayStatus.Health.DEGRADED);
    assertThat(status.reason()).isEqualTo("archive not purged for 60 s, see the log");
    assertThat(status.purgeFailingFor()).isEqualTo(MINUTE);
  }

  @Test
  void a_worker_that_is_stuck_degrades_it_and_with_all_of_them_stuck_it_is_down() {
    RelayStatus some = status(new RelayHealth(true, false, null, null, 1, false), Set.of());
    RelayStatus all = status(new RelayHealth(true, false, MINUTE, null, 2, true), Set.of());

    assertThat(some.health()).isEqualTo(RelayStatus.Health.DEGRADED);
    assertThat(some.reason()).isEqualTo("1 threads stuck in the publisher");
    assertThat(some.stuckThreads()).isEqualTo(1);
    assertThat(all.health()).isEqualTo(RelayStatus.Health.DOWN);
    assertThat(all.reason()).isEqualTo("all 2 workers are stuck in the publisher, see the log");
    assertThat(all.stuckThreads()).isEqualTo(2);
  }

  @Test
  void what_delays_delivery_is_named_before_a_purge_and_what_ends_it_before_both() {
    RelayHealth unpurged = new RelayHealth(true, false, null, MINUTE);
    RelayHealth down = new RelayHealth(true, false, MINUTE, MINUTE);

    assertThat(status(unpurged, Set.of(new Lane(3))).reason())
        .isEqualTo("messages of lanes 3 are published one at a time, because one may kill relays");
    assertThat(status(down, Set.of(new Lane(3))).reason())
        .isEqualTo("calls of the database have failed for 60 s, see the log");
    assertThat(status(down, Set.of()).health()).isEqualTo(RelayStatus.Health.DOWN);
  }

  @Test
  void only_one_that_was_closed_is_closed() {
    assertThat(status(new RelayHealth(true, true, null, null), Set.of()).isClosed()).isTrue();
    assertThat(status(new RelayHealth(false, true, MINUTE, null), Set.of()).isClosed()).isTrue();
    assertThat(status(new RelayHealth(false, false, null, null), Set.of()).isClosed()).isFalse();
    assertThat(status(FINE, Set.of()).isClosed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void one_that_has_ended_says_nothing_of_a_database_that_it_asks_no_more(boolean stopped) {
    RelayStatus ended =
        status(new RelayHealth(false, stopped, MINUTE, MINUTE), Set.of(new Lane(3)));

    assertThat(ended.health()).isEqualTo(RelayStatus.Health.DOWN);
    assertThat(ended.storeDownFor()).isNull();
    assertThat(ended.purgeFailingFor()).isNull();
    assertThat(ended.carefulLanes()).isEmpty();
  }

  @Test
  void a_relay_has_its_lanes_until_the_close_is_over() {
    Set<Lane> lanes = Set.of(new Lane(3));

    assertThat(status(new RelayHealth(true, true, null, null), lanes).carefulLanes())
        .containsExactly(3);
    RelayStatus closed = status(new RelayHealth(false, true, null, null), lanes);
    assertThat(closed.carefulLanes()).isEmpty();
    assertThat(closed).hasToString("r DOWN (closed); lanes none; 0 in memory; delivered 0");
  }
}
