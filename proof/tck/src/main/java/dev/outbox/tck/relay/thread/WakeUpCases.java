package dev.outbox.tck.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.tck.fixture.Opener;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A relay that waits is woken by a commit. */
public abstract class WakeUpCases extends ThreadCases {
  protected WakeUpCases(Opener opener) {
    super(opener);
  }

  /** A relay that waits for up to a minute. */
  private Relay.Builder resting() {
    return real(broker.publisher())
        .lease(Duration.ofMinutes(3), Duration.ofMinutes(1))
        .poll(Duration.ofMinutes(1));
  }

  @Test
  void a_wake_up_cuts_the_rest_short() throws Exception {
    Relay relay = closing(resting().start());
    assertWoken(
        () ->
            Transactions.run(
                environment().applications(),
                outbox(),
                connection -> outbox().enqueue(connection, message("k", "woken"))));
    relay.close();
    assertEmpty();
  }

  private interface Step {
    void run() throws Exception;
  }

  /** One of several, for the machine may stand still for a moment. */
  private void assertWoken(Step commit) throws Exception {
    List<Duration> delays = new ArrayList<>();
    boolean soon = false;
    int next = 10;
    for (int round = 1; round <= 3 && !soon; round++) {
      store().awaitReads(next); // each rest is twice as long as the one before
      next = store().reads() + 12;
      long begun = System.nanoTime();
      commit.run();
      broker.await(round, PATIENCE);
      Duration delay = Duration.ofNanos(System.nanoTime() - begun);
      soon = delay.compareTo(Duration.ofSeconds(2)) < 0;
      delays.add(delay);
    }
    assertThat(soon).as("from the commit to the broker: %s", delays).isTrue();
  }

  @Test
  void a_joined_outbox_wakes_the_relay_after_the_commit() throws Exception {
    Relay relay = closing(resting().start());
    List<Runnable> afterCommit = new ArrayList<>();
    Connection connection = begin();
    Outbox.Joined joined =
        outbox().join(Transactions.of(work -> work.accept(connection), afterCommit::add));
    assertWoken(
        () -> {
          joined.enqueue(message("k", "woken"));
          connection.commit();
          afterCommit.forEach(Runnable::run);
          afterCommit.clear();
        });
    relay.close();
    assertEmpty();
  }
}
