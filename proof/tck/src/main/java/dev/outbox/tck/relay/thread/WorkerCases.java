package dev.outbox.tck.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Real workers over tables that are claimed by rows. */
public abstract class WorkerCases extends RelayCases {
  private static final int WRITERS = 8;
  private static final int TRANSACTIONS = 40;

  protected WorkerCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.rows();
  }

  private Relay start(Publisher publisher) {
    return closing(
        Relay.builder(store(), publisher)
            .name("contract")
            .workers(3)
            .batch(20)
            .poll(Duration.ofMillis(100))
            .retry((attempts, failing) -> Optional.of(Duration.ofMillis(20)))
            .listener(countingListener)
            .start());
  }

  @Test
  void two_relays_of_three_workers_publish_what_is_committed_once() throws Exception {
    Random random = seeded("workers");
    broker.fail(envelope -> random.nextInt(50) == 0, new IllegalStateException("no room"));
    List<Relay> relays = List.of(start(broker.publisher()), start(broker.publisher()));
    List<Callable<List<MessageId>>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      writers.add(this::write);
    }
    Set<MessageId> committed =
        Crew.together(writers).stream().flatMap(List::stream).collect(Collectors.toSet());
    broker.await(committed.size(), PATIENCE);
    relays.forEach(Relay::close);
    assertThat(broker.ids()).isEqualTo(committed);
    assertThat(store().sessions()).isZero();
    assertEmpty();
  }

  private List<MessageId> write() throws Exception {
    List<MessageId> committed = new ArrayList<>();
    for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
      if (transaction % 4 == 3) {
        Connection connection = begin(environment());
        try (connection) {
          outbox().enqueue(connection, unkeyed("rolled back"));
          connection.rollback();
        }
      } else {
        committed.addAll(commit(unkeyed("one"), unkeyed("two")));
        outbox().wake();
      }
    }
    return committed;
  }

  private static Connection begin(StoreEnvironment environment) throws Exception {
    Connection connection = environment.applications().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void handlers_by_topic_share_the_workers_within_their_caps() throws Exception {
    store().topics().change("reports", setting -> setting.withInFlight(2));
    List<Message> messages = new ArrayList<>();
    for (int number = 0; number < 40; number++) {
      messages.add(Message.to("reports").text("r " + number));
      messages.add(Message.to("mails").text("m " + number));
    }
    commit(messages);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(1);
    AtomicBoolean beyond = new AtomicBoolean();
    CountDownLatch left = new CountDownLatch(messages.size());
    Publisher reports =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (most.accumulateAndGet(running.incrementAndGet(), Math::max) > 2) {
                third.countDown();
              }
              storeLedger().write(transaction, envelope.payload().text());
              // long enough that a third one would come meanwhile
              if (third.await(20, TimeUnit.MILLISECONDS)) {
                beyond.set(true);
              }
              running.decrementAndGet();
              left.countDown();
            });
    Publisher mails =
        Publisher.transactional(
            (envelope, transaction) -> {
              storeLedger().write(transaction, envelope.payload().text());
              left.countDown();
            });
    Relay relay =
        closing(
            Relay.builder(store(), Publisher.route(Map.of("reports", reports, "mails", mails)))
                .workers(6)
                .batch(1)
                .poll(Duration.ofMillis(100))
                .listener(countingListener)
                .start());
    assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
    relay.close();
    assertThat(beyond).as("more than the cap at a time").isFalse();
    assertThat(most).hasValue(2);
    assertThat(countingListener.parked).hasValue(0);
    assertThat(storeLedger().entries()).hasSize(80).doesNotHaveDuplicates();
  }

  @Test
  void real_workers_write_effects_exactly_once() throws Exception {
    for (int number = 0; number < 10; number++) {
      commit(numbers("u" + number, 10).stream().map(RelayCases::unkeyed).toList());
    }
    CountDownLatch effects = new CountDownLatch(100);
    Publisher toLedger =
        Publisher.transactional(
            (envelope, transaction) -> {
              if (envelope.topic().equals(TOPIC)) {
                storeLedger().write(transaction, envelope.payload().text());
                effects.countDown();
              }
            });
    Relay relay = start(toLedger);
    assertThat(effects.await(30, TimeUnit.SECONDS)).isTrue();
    relay.close();
    assertThat(storeLedger().entries()).hasSize(100).doesNotHaveDuplicates();
  }
}
