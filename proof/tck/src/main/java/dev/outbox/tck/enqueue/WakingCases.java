package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Relays hear which lanes have news, and when: a hint before the commit, or a wake-up after it. */
public abstract class WakingCases extends RelayCases {
  private final List<String> rung = new ArrayList<>();

  protected WakingCases(Opener opener) {
    super(opener);
  }

  /** Keys a to d are in their own lanes. */
  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(64);
  }

  @BeforeEach
  void listen() {
    closing(
        store()
            .wakeup()
            .subscribe(
                new Wakeup.Listener() {
                  @Override
                  public void woken(Set<Lane> lanes) {
                    rung.add("woken " + new TreeSet<>(lanes));
                  }

                  @Override
                  public void hinted(Set<Lane> lanes) {
                    rung.add("hinted " + new TreeSet<>(lanes));
                  }
                }));
  }

  private String lanes(String... keys) {
    Set<Lane> lanes = new TreeSet<>();
    for (String key : keys) {
      lanes.add(LaneHash.of(new Key(key), 64));
    }
    assertThat(lanes).hasSameSizeAs(keys);
    return lanes.toString();
  }

  private static Message delayed(String key) {
    return Message.to(TOPIC).key(key).deliverAfter(Duration.ofHours(1)).text("later");
  }

  @Test
  void a_raw_connection_leaves_a_hint_and_wakes_nobody() throws Exception {
    try (Connection connection = begin()) {
      outbox().enqueue(connection, List.of(message("a", "1"), message("b", "2"), delayed("c")));
      assertThat(rung).containsExactly("hinted " + lanes("a", "b"));
      connection.commit();
    }
    assertThat(rung).hasSize(1);
  }

  @Test
  void a_wake_up_by_hand_is_for_anywhere() {
    outbox().wake();
    assertThat(rung).containsExactly("woken []");
  }

  @Test
  void a_plain_transaction_wakes_its_lanes_once_after_the_commit() throws Exception {
    Transactions.run(
        environment().applications(),
        outbox(),
        connection -> {
          outbox().enqueue(connection, message("a", "1"));
          outbox().enqueue(connection, List.of(message("b", "2"), message("a", "3"), delayed("c")));
          assertThat(rung).isEmpty();
        });
    assertThat(rung).containsExactly("woken " + lanes("a", "b"));
  }

  @Test
  void a_plain_transaction_of_delayed_messages_wakes_nobody() throws Exception {
    Transactions.run(
        environment().applications(),
        outbox(),
        connection -> {
          outbox().enqueue(connection, delayed("a"));
        });
    assertThat(rung).isEmpty();
  }

  @Test
  void a_plain_transaction_that_fails_wakes_nobody() {
    assertThatThrownBy(
            () ->
                Transactions.run(
                    environment().applications(),
                    outbox(),
                    connection -> {
                      outbox().enqueue(connection, message("a", "1"));
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(rung).isEmpty();
  }

  @Test
  void a_joined_outbox_wakes_its_lanes_after_the_commit() throws Exception {
    Connection connection = begin();
    List<Runnable> afterCommit = new ArrayList<>();
    Outbox.Joined joined =
        outbox().join(Transactions.of(work -> work.accept(connection), afterCommit::add));
    joined.enqueue(List.of(message("a", "1"), message("b", "2")));
    joined.enqueue(delayed("c"));
    connection.commit();
    assertThat(rung).isEmpty();

    afterCommit.forEach(Runnable::run);
    assertThat(rung).containsExactly("woken " + lanes("a", "b"));
  }
}
