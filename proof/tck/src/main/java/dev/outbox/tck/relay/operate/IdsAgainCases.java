package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A relay publishes messages that get ids which were given before, and soon. */
public abstract class IdsAgainCases extends RelayCases {
  private static final int BEFORE = 30;

  /** What ids that went back may delay a message by. */
  private static final Duration SOON = Duration.ofSeconds(2);

  private static final Duration A_SWEEP = Duration.ofSeconds(70);

  protected IdsAgainCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(2);
  }

  /** Publishes many messages, until they lie below the floors. */
  private void publishSome(ManualRelay relay) throws Exception {
    for (int key = 0; key < BEFORE; key++) {
      commit(message("before" + key, "before" + key + " 0"));
    }
    for (int second = 0; second < 12; second++) {
      relay.drainNow();
      pass(Duration.ofSeconds(1));
    }
    assertThat(texts()).hasSize(BEFORE);
  }

  /**
   * Elsewhere a late commit may be found by the sweep alone: MySQL and MariaDB show a copy, whose
   * age is of the server's time, and that does not pass by steps.
   */
  private boolean tellsWritersOfNow() {
    try (LaneStore other = store().lanes("other", LEASE)) {
      return other.openTransactions() instanceof OpenTransactions.Known known
          && known.lag().isZero();
    }
  }

  private void assertPublishedSoon(ManualRelay relay, String... keys) throws Exception {
    for (String key : keys) {
      commit(message(key, key + " 0"));
    }
    pass(SOON);
    relay.drainNow();
    for (String key : keys) {
      assertThat(texts(key)).containsExactly(key + " 0");
    }
  }

  @Test
  void ids_that_begin_again_under_a_running_relay_delay_nothing() throws Exception {
    ManualRelay relay = started("a");
    publishSome(relay);
    if (environment().restartIds(1)) {
      assertPublishedSoon(relay, "a", "b", "c", "d");
      pass(SOON);
      assertPublishedSoon(relay, "e", "f", "g", "h");
      assertEmpty();
    }
  }

  @Test
  void a_relay_that_starts_on_floors_above_the_next_id_believes_none() throws Exception {
    ManualRelay first = started("a");
    publishSome(first);
    first.close();
    if (environment().restartIds(1)) {
      commit(message("early", "early 0"));
      ManualRelay second = started("b");
      assertPublishedSoon(second, "a", "b", "c", "d");
      assertThat(texts("early")).containsExactly("early 0");
      assertEmpty();
    }
  }

  @Test
  void what_is_parked_with_a_higher_id_keeps_no_floor_above_those_that_come() throws Exception {
    List<String> failing = new ArrayList<>(List.of("parked"));
    ManualRelay relay =
        started(
            relay(
                "a",
                Publisher.blocking(
                    envelope -> {
                      if (failing.contains(envelope.payload().text())) {
                        throw new IllegalArgumentException("not yet");
                      }
                      broker.receive(envelope);
                    })));
    publishSome(relay);
    commit(message("parked", "parked"));
    relay.drainNow();
    if (!environment().restartIds(1)) {
      return;
    }
    Connection late = begin();
    outbox().enqueue(late, message("late", "late 0"));
    for (int round = 0; round < 5; round++) {
      assertPublishedSoon(relay, "k" + round, "l" + round, "m" + round);
    }
    late.commit();
    pass(tellsWritersOfNow() ? SOON : A_SWEEP);
    relay.drainNow();
    assertThat(texts("late")).containsExactly("late 0");
    failing.clear();
    pass(REST);
    relay.drainNow();
    assertEmpty();
  }

  @Test
  void raised_ids_are_noticed_and_nothing_is_lost_on_the_way() throws Exception {
    ManualRelay relay = started("a");
    publishSome(relay);
    if (!environment().restartIds(1)) {
      return;
    }
    assertPublishedSoon(relay, "a", "b");
    environment().raiseIds();
    commit(message("raised", "raised 0"));
    pass(LEASE.plus(SOON));
    relay.drainNow();
    relay.drainNow();
    assertThat(texts("raised")).containsExactly("raised 0");
    assertPublishedSoon(relay, "c", "d");
    assertEmpty();
  }

  @Test
  void the_answers_of_a_flight_of_before_count_for_nothing_under_the_same_epoch() throws Exception {
    HoldingPublisher holding = holding();
    ManualRelay relay = started(relay("a", holding));
    List<String> texts = new ArrayList<>();
    for (int key = 0; key < 8; key++) {
      commit(message("k" + key, "k" + key));
      texts.add("k" + key);
    }
    relay.drainNow();
    List<Flight> old = holding.flights();
    if (!environment().restartIds(1000)) {
      return;
    }
    for (int lane = 0; lane < 2; lane++) {
      environment().setBack(new Lane(lane), old.get(0).fencingToken().orElseThrow() - 1);
    }
    pass(RENEWAL);
    relay.drainNow(); // it is fenced
    pass(RENEWAL);
    relay.drainNow();
    List<Flight> again = holding.flights().subList(old.size(), holding.flights().size());
    assertThat(again).isNotEmpty();
    assertThat(again.get(0).fencingToken()).isEqualTo(old.get(0).fencingToken());

    old.forEach(flight -> flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered())));
    relay.drainNow();
    assertThat(tableCounts().ready()).isEqualTo(texts.size());

    holding.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void fencing_tokens_rise_again_once_the_epochs_were_raised() throws Exception {
    HoldingPublisher holding = holding();
    ManualRelay relay = started(relay("a", holding));
    commit(message("k", "k 0"));
    relay.drainNow();
    long before = holding.flight(0).fencingToken().orElseThrow();
    if (!environment().restartIds(1000)) {
      return;
    }
    environment().raiseIds();
    pass(RENEWAL);
    relay.drainNow(); // it is fenced
    pass(LEASE);
    relay.drainNow();
    assertThat(holding.flight(1).fencingToken().orElseThrow()).isGreaterThan(before);
    assertThat(holding.flight(1).fencingToken().orElseThrow()).isGreaterThan(1_700_000_000_000L);
    holding.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }
}
