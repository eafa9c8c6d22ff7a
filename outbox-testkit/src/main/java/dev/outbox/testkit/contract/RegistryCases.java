package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.store.RelayRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Relays know of each other. */
abstract class RegistryCases extends StoreCases {
  RegistryCases(OutboxStoreContract contract) {
    super(contract);
  }

  @Test
  void a_beat_tells_all_live_relays_sorted() {
    RelayRegistry registry = store().registry();
    assertThat(registry.beat("b", LEASE)).containsExactly("b");
    assertThat(registry.beat("a", LEASE)).containsExactly("a", "b");
    assertThat(registry.beat("c", LEASE)).containsExactly("a", "b", "c");
  }

  @Test
  void a_relay_that_beats_no_more_is_forgotten() throws Exception {
    RelayRegistry registry = store().registry();
    registry.beat("a", LEASE);
    passTime(LEASE.minusSeconds(20));
    assertThat(registry.beat("b", LEASE)).containsExactly("a", "b");
    passTime(Duration.ofSeconds(21));
    assertThat(registry.beat("b", LEASE)).containsExactly("b");
  }

  @Test
  void a_beat_prolongs_a_life() throws Exception {
    RelayRegistry registry = store().registry();
    registry.beat("a", LEASE);
    passTime(LEASE.minusSeconds(20));
    registry.beat("a", LEASE);
    passTime(LEASE.minusSeconds(20));
    assertThat(registry.beat("b", LEASE)).containsExactly("a", "b");
  }

  @Test
  void a_relay_that_leaves_is_gone_at_once() {
    RelayRegistry registry = store().registry();
    registry.beat("a", LEASE);
    registry.beat("b", LEASE);
    registry.leave("a");
    registry.leave("never seen");
    assertThat(registry.beat("b", LEASE)).containsExactly("b");
  }

  @Test
  void a_relay_that_died_and_came_back_lives() throws Exception {
    RelayRegistry registry = store().registry();
    registry.beat("a", LEASE);
    passTime(LEASE.plusSeconds(1));
    assertThat(registry.beat("a", LEASE)).containsExactly("a");
  }

  @Test
  void names_are_told_apart_exactly() {
    RelayRegistry registry = store().registry();
    registry.beat("relay", LEASE);
    registry.beat("Relay", LEASE);
    assertThat(registry.beat("rel\u00E4y", LEASE))
        .containsExactlyInAnyOrder("Relay", "relay", "rel\u00E4y");
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
              store().registry().beat(name, LEASE);
            }
            return store().registry().beat(name, LEASE);
          });
    }
    Crew.together(relays);
    assertThat(store().registry().beat("relay 0", LEASE)).hasSize(8);
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }
}
