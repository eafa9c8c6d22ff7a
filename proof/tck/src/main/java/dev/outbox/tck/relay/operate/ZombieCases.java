package dev.outbox.tck.relay.operate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A relay that was taken over while it stood still changes nothing any more. */
public abstract class ZombieCases extends RelayCases {
  protected ZombieCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @Test
  void a_broker_that_fences_can_tell_the_zombie_from_its_successor() throws Exception {
    Map<String, List<Long>> tokens = new HashMap<>();
    ManualRelay zombie = started(relay("a", noting(tokens, "a")));
    commit(message("k", "k 0"));
    zombie.drainNow();
    commit(message("k", "k 1"));
    zombie.drainNow();
    pass(LEASE.plusSeconds(1));
    ManualRelay successor = started(relay("b", noting(tokens, "b")));
    successor.drainNow();
    assertThat(tokens.get("a")).hasSize(1);
    assertThat(requireNonNull(tokens.get("b")).get(0))
        .isGreaterThan(requireNonNull(tokens.get("a")).get(0));
  }

  /** Keeps all in flight. */
  private static Publisher noting(Map<String, List<Long>> tokens, String relay) {
    return flight ->
        tokens
            .computeIfAbsent(relay, name -> new ArrayList<>())
            .add(flight.fencingToken().orElseThrow());
  }

  @Test
  void a_zombies_delivered_deletes_nothing_that_the_new_owner_parked() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    broker.failNext(1, new IllegalStateException("no room"));
    ManualRelay owner = started("b");
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    assertThat(countingListener.fenced).containsExactly(0);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    pass(REST);
    owner.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  @Test
  void a_zombies_delivered_deletes_nothing_that_the_new_owner_has_in_flight() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    HoldingPublisher publisher = holding();
    ManualRelay owner = started(relay("b", publisher));
    owner.drainNow();
    assertThat(publisher.texts()).isEqualTo(numbers("a", 3));
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    publisher.answerAll(Ack.failed(new IllegalStateException("no room")));
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 0));
    assertThat(countingListener.missing).hasValue(0);
  }

  @Test
  void a_zombies_rejection_buries_nothing() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    HoldingPublisher publisher = holding();
    ManualRelay owner = started(relay("b", publisher));
    owner.drainNow();
    stuck.answerAll(Ack.rejected("no such account"));
    zombie.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    publisher.answerAll(Ack.delivered());
    owner.drainNow();
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_zombies_failure_parks_nothing() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    ManualRelay owner = started("b");
    stuck.answerAll(Ack.failed(new IllegalStateException("no room")));
    commit(message("a", "a 3"));
    owner.turn();
    zombie.drainNow();
    assertThat(tableCounts().parked()).isZero();
    owner.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 4));
    assertEmpty();
  }

  /** A relay by a clock that stands still, with three messages in flight and its lease over. */
  private ManualRelay takenOver(HoldingPublisher publisher) throws Exception {
    commit(numbered("a", 3));
    ManualRelay zombie = started(relay("zombie", publisher).clock(SettableClock.create()));
    zombie.drainNow();
    assertThat(publisher.texts()).isEqualTo(numbers("a", 3));
    pass(LEASE_IS_OVER);
    ManualRelay thief = started(relay("thief", holding()));
    thief.drainNow();
    thief.crash();
    pass(LEASE_IS_OVER);
    return zombie;
  }

  @Test
  void a_zombie_works_again_once_it_has_a_new_lease() throws Exception {
    HoldingPublisher stuck = holding();
    ManualRelay zombie = takenOver(stuck);
    ManualRelay owner = started("b");
    owner.drainNow();
    stuck.answerAll(Ack.delivered());
    zombie.drainNow();
    owner.close();
    commit(message("a", "a 3"));
    zombie.drainNow();
    assertThat(stuck.flight(stuck.flights().size() - 1).envelopes())
        .extracting(envelope -> envelope.payload().text())
        .containsExactly("a 3");
  }
}
