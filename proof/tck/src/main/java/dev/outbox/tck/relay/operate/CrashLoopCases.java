package dev.outbox.tck.relay.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message that kills its publisher is found and buried, and no other with it. */
public abstract class CrashLoopCases extends RelayCases {
  private final List<Integer> sizesAtDeath = new ArrayList<>();
  private boolean dead;

  protected CrashLoopCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(32);
  }

  /** Dies with a deadly message: nothing is answered, and nothing reaches the store any more. */
  private final class Mortal implements Publisher {
    @Override
    public void publish(Flight flight) throws Exception {
      for (Envelope envelope : flight.envelopes()) {
        if (dead || envelope.payload().text().startsWith("deadly")) {
          die(flight);
          return;
        }
        broker.receive(envelope);
        flight.ack(envelope, Ack.delivered());
      }
    }

    private void die(Flight flight) {
      if (!dead) {
        sizesAtDeath.add(flight.envelopes().size());
        dead = true;
        store().plan(call -> FaultyStore.Fault.BEFORE);
      }
    }

    @Override
    public Ordering ordering() {
      return Ordering.PIPELINED;
    }
  }

  /** A relay lives until it dies or has nothing to do. True when it died. */
  private boolean live(int life) throws Exception {
    dead = false;
    store().plan(call -> FaultyStore.Fault.NONE);
    ManualRelay relay = relay("life-" + life, new Mortal()).build();
    try {
      relay.drainNow();
      relay.drainNow();
    } catch (StoreException e) {
      assertThat(dead).isTrue();
    }
    boolean died = dead;
    relay.crash();
    store().plan(call -> FaultyStore.Fault.NONE);
    pass(LEASE.plusSeconds(1));
    return died;
  }

  private int lives() throws Exception {
    int life = 0;
    while (live(life)) {
      life++;
      assertThat(life).as("deaths").isLessThan(12);
    }
    return life;
  }

  @Test
  void a_message_that_kills_its_relays_is_buried_after_three_deaths_alone_in_flight()
      throws Exception {
    for (int key = 0; key < 200; key++) {
      commit(message("k" + key, "k" + key + " 0"));
    }
    commit(message("x", "x 0"), message("x", "deadly"), message("x", "x 1"));

    int deaths = lives();

    assertThat(deaths).isBetween(4, 7);
    assertThat(sizesAtDeath.subList(deaths - 3, deaths)).containsOnly(1);
    assertThat(dead()).hasSize(1);
    assertThat(dead().get(0).envelope().payload().text()).isEqualTo("deadly");
    assertThat(dead().get(0).reason()).isEqualTo(Reason.CRASH);
    assertThat(texts("x").stream().distinct()).containsExactly("x 0", "x 1");
    for (int key = 0; key < 200; key++) {
      assertThat(texts("k" + key)).contains("k" + key + " 0");
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
  }

  @Test
  void two_deadly_messages_are_both_found() throws Exception {
    commit(numbered("a", 3));
    commit(message("a", "deadly 1"), message("b", "deadly 2"), message("b", "b 0"));
    commit(numbered("c", 3));

    lives();

    assertThat(dead()).extracting(letter -> letter.reason()).containsOnly(Reason.CRASH);
    assertThat(dead())
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactlyInAnyOrder("deadly 1", "deadly 2");
    assertThat(texts("c").stream().distinct()).isEqualTo(numbers("c", 3));
    assertThat(texts("b")).containsExactly("b 0");
  }

  @Test
  void relays_that_die_of_something_else_bury_nothing() throws Exception {
    for (int key = 0; key < 40; key++) {
      commit(numbered("k" + key, 2));
    }
    for (int life = 0; life < 12; life++) {
      ManualRelay relay = relay("life-" + life, broker.publisher()).build();
      for (int turn = 0; turn < life / 3; turn++) {
        relay.turn();
      }
      relay.crash();
      pass(LEASE.plusSeconds(1));
    }
    started("last").drainNow();

    assertThat(dead()).isEmpty();
    for (int key = 0; key < 40; key++) {
      assertThat(texts("k" + key).stream().distinct()).isEqualTo(numbers("k" + key, 2));
    }
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void relays_that_die_during_an_outage_of_the_broker_bury_nothing() throws Exception {
    for (int key = 0; key < 4; key++) {
      commit(numbered("k" + key, 2));
    }
    Publisher down =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("the broker is down");
            });
    for (int life = 0; life < 12; life++) {
      ManualRelay relay = relay("life-" + life, down).build();
      for (int turn = 0; turn < 8; turn++) {
        relay.turn();
        pass(Duration.ofSeconds(1));
      }
      relay.crash();
      pass(LEASE.plusSeconds(1));
    }
    assertThat(dead()).isEmpty();
    pass(Duration.ofMinutes(1));
    started("last").drainNow();

    assertThat(dead()).isEmpty();
    for (int key = 0; key < 4; key++) {
      assertThat(texts("k" + key)).isEqualTo(numbers("k" + key, 2));
    }
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_lane_is_calm_again_once_what_its_last_owner_had_has_settled() throws Exception {
    for (int life = 0; life < 4; life++) {
      ManualRelay relay = relay("life-" + life, holding()).build();
      commit(message("a", "a " + life));
      relay.drainNow();
      relay.crash();
      pass(LEASE.plusSeconds(1));
    }
    List<Integer> sizes = new ArrayList<>();
    Publisher measuring = Publisher.blocking(broker::receive).classify(Ack::failed);
    ManualRelay relay =
        started(
            relay(
                "last",
                new Publisher() {
                  @Override
                  public void publish(Flight flight) throws Exception {
                    sizes.add(flight.envelopes().size());
                    measuring.publish(flight);
                  }

                  @Override
                  public Ordering ordering() {
                    return Ordering.PIPELINED;
                  }
                }));
    relay.drainNow();
    assertThat(sizes).containsExactly(1, 1, 1, 1);
    commit(message("a", "a 4"), message("a", "a 5"), message("a", "a 6"));
    pass(Duration.ofSeconds(1));
    relay.drainNow();
    assertThat(sizes).containsExactly(1, 1, 1, 1, 3);
    assertThat(texts("a")).isEqualTo(numbers("a", 7));
    assertEmpty();
  }
}
