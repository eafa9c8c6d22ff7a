package dev.outbox.tck.store.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Relays know of each other. */
public abstract class RegistryCases extends StoreCases {
  protected RegistryCases(Opener opener) {
    super(opener);
  }

  /** The names of those that live after a beat of {@code relay}. */
  private List<String> beat(String relay) {
    return names(store().registry().beat(relay, LEASE, true));
  }

  private static List<String> names(List<LiveRelay> relays) {
    return relays.stream().map(LiveRelay::name).toList();
  }

  @Test
  void a_beat_tells_all_live_relays_sorted() {
    assertThat(beat("b")).containsExactly("b");
    assertThat(beat("a")).containsExactly("a", "b");
    assertThat(beat("c")).containsExactly("a", "b", "c");
  }

  @Test
  void a_relay_that_beats_no_more_is_forgotten() throws Exception {
    beat("a");
    passTime(LEASE.minusSeconds(20));
    assertThat(beat("b")).containsExactly("a", "b");
    passTime(Duration.ofSeconds(21));
    assertThat(beat("b")).containsExactly("b");
  }

  @Test
  void a_beat_prolongs_a_life() throws Exception {
    beat("a");
    passTime(LEASE.minusSeconds(20));
    beat("a");
    passTime(LEASE.minusSeconds(20));
    assertThat(beat("b")).containsExactly("a", "b");
  }

  @Test
  void a_relay_that_leaves_is_gone_at_once() {
    beat("a");
    beat("b");
    store().registry().leave("a");
    store().registry().leave("never seen");
    assertThat(beat("b")).containsExactly("b");
  }

  @Test
  void a_relay_that_died_and_came_back_lives() throws Exception {
    beat("a");
    passTime(LEASE.plusSeconds(1));
    assertThat(beat("a")).containsExactly("a");
  }

  @Test
  void those_that_live_can_be_listed_without_a_beat() throws Exception {
    assertThat(store().registry().live()).isEmpty();
    beat("b");
    store().registry().beat("a", LEASE.multipliedBy(3), true);
    assertThat(names(store().registry().live())).containsExactly("a", "b");
    passTime(LEASE.plusSeconds(1));
    assertThat(names(store().registry().live())).containsExactly("a");
    store().registry().leave("a");
    assertThat(store().registry().live()).isEmpty();
  }

  @Test
  void a_relay_that_does_not_share_says_so_until_it_shares_again() {
    store().registry().beat("a", LEASE, false);
    assertThat(store().registry().beat("b", LEASE, true))
        .extracting(LiveRelay::sharing)
        .containsExactly(false, true);
    store().registry().beat("a", LEASE, true);
    assertThat(store().registry().live()).allMatch(LiveRelay::sharing);
    store().registry().beat("b", LEASE, false);
    assertThat(store().registry().live())
        .extracting(LiveRelay::sharing)
        .containsExactly(true, false);
  }

  @Test
  void a_relay_tells_when_its_life_began_however_often_it_beats() throws Exception {
    beat("a");
    Instant began = store().registry().live().get(0).startedAt();
    assertThat(Duration.between(began, store().now()).abs()).isLessThan(Duration.ofSeconds(30));
    for (int i = 0; i < 6; i++) {
      passTime(LEASE.dividedBy(2));
      beat("a");
    }
    Instant still = store().registry().live().get(0).startedAt();
    assertThat(Duration.between(still, store().now()))
        .isBetween(LEASE.multipliedBy(3).minusSeconds(1), LEASE.multipliedBy(3).plusSeconds(30));
  }

  @Test
  void a_relay_that_left_and_came_back_has_begun_again() throws Exception {
    beat("a");
    passTime(LEASE.dividedBy(2));
    store().registry().leave("a");
    beat("a");
    Instant began = store().registry().live().get(0).startedAt();
    assertThat(Duration.between(began, store().now())).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void a_relay_beats_over_the_session_of_its_lanes() {
    RelayRegistry own = relay("a").registry();
    assertThat(names(own.beat("a", LEASE, true))).containsExactly("a");
    assertThat(names(store().registry().live())).containsExactly("a");
    assertThat(own.live()).isEqualTo(store().registry().live());
    own.leave("a");
    assertThat(store().registry().live()).isEmpty();
  }

  @Test
  void names_are_distinguished_exactly() {
    beat("relay");
    beat("Relay");
    assertThat(beat("rel\u00E4y")).containsExactlyInAnyOrder("Relay", "relay", "rel\u00E4y");
  }

  @Test
  void two_workers_of_one_relay_beat_for_the_first_time_at_the_same_moment() throws Exception {
    for (int number = 0; number < 20; number++) {
      String name = "relay " + number;
      List<List<String>> known = Crew.together(List.of(() -> beat(name), () -> beat(name)));
      assertThat(known).allMatch(names -> names.contains(name));
    }
  }

  @Test
  void eight_relays_beat_at_the_same_time() throws Exception {
    long deadlocks = environment().deadlocks();
    List<Callable<List<String>>> relays = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      String name = "relay " + number;
      relays.add(
          () -> {
            for (int beat = 0; beat < 10; beat++) {
              beat(name);
            }
            return beat(name);
          });
    }
    Crew.together(relays);
    assertThat(beat("relay 0")).hasSize(8);
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }
}
