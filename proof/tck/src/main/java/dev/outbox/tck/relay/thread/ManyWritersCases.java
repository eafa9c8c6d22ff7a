package dev.outbox.tck.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.Crew;
import dev.outbox.testkit.internal.intercept.StoreCall;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Several relays publish what many writers commit meanwhile. */
public abstract class ManyWritersCases extends ThreadCases {
  private static final int WRITERS = 8;
  private static final int TRANSACTIONS = 40;
  private static final int KEYS = 32;

  /** Longer than a writer is open before reads begin above what it enqueued. */
  private static final Duration OPEN = Duration.ofMillis(1500);

  protected ManyWritersCases(Opener opener) {
    super(opener);
  }

  @Test
  void two_relays_publish_what_eight_writers_commit_once_and_in_order() throws Exception {
    writersAndRelays(2, broker.publisher());
  }

  @Test
  void four_relays_publish_what_eight_writers_commit_once_and_in_order() throws Exception {
    writersAndRelays(4, broker.publisher());
  }

  @Test
  void two_relays_have_one_of_a_key_in_flight() throws Exception {
    ExecutorService sending = Executors.newFixedThreadPool(4);
    try {
      OneOfAKey publisher = new OneOfAKey(broker.asyncPublisher(sending));
      writersAndRelays(2, publisher);
      assertThat(publisher.together()).isEmpty();
    } finally {
      sending.shutdownNow();
    }
  }

  /** While such a writer is open, reads begin above its messages. */
  @Test
  void what_is_enqueued_after_a_long_transaction_does_not_overtake_it() throws Exception {
    Relay relay = closing(real(broker.publisher()).start());
    AtomicBoolean over = new AtomicBoolean();
    Future<Integer> others = Crew.start(() -> writeUntil(over));
    int written = 0;
    for (int round = 0; round < Dose.of(1, 10); round++) {
      try (Connection connection = begin()) {
        enqueue(connection, "long", written++);
        Thread.sleep(OPEN.toMillis());
        connection.commit();
      }
      for (int after = 0; after < 20; after++) {
        commit("long", written++);
      }
    }
    over.set(true);
    broker.await(written + Crew.end(others, PATIENCE), PATIENCE);
    relay.close();
    assertThat(texts("long")).hasSize(written).isSorted();
    for (int key = 0; key < KEYS; key++) {
      assertThat(texts("other " + key)).isSorted();
    }
    assertThat(countingListener.missing).hasValue(0);
    assertEmpty();
  }

  /** Enqueues in every lane; returns how many. */
  private int writeUntil(AtomicBoolean over) throws Exception {
    int written = 0;
    while (!over.get()) {
      commit("other " + written % KEYS, written++);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return written;
  }

  private void commit(String key, int number) throws Exception {
    try (Connection connection = begin()) {
      enqueue(connection, key, number);
      connection.commit();
      outbox().wake();
    }
  }

  private void enqueue(Connection connection, String key, int number) {
    outbox().enqueue(connection, message(key, "%06d".formatted(number)));
  }

  private void writersAndRelays(int relays, Publisher publisher) throws Exception {
    Random random = seeded(relays + " relays");
    List<Relay> running = new ArrayList<>();
    for (int number = 0; number < relays; number++) {
      running.add(closing(real(publisher).start()));
    }
    Set<MessageId> committed = writeTogether(random);
    broker.await(committed.size(), PATIENCE);
    running.forEach(Relay::close);
    assertThat(broker.ids()).isEqualTo(committed);
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int key = 0; key < 3; key++) {
        assertThat(texts("writer " + writer + " key " + key)).isSorted();
      }
    }
    assertThat(countingListener.missing).hasValue(0);
    assertThat(countingListener.fenced).isEmpty();
    assertEmpty();
  }

  private Set<MessageId> writeTogether(Random random) throws Exception {
    List<Callable<List<MessageId>>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String name = "writer " + writer;
      Random own = new Random(random.nextLong());
      writers.add(() -> write(name, own));
    }
    return Crew.together(writers).stream().flatMap(List::stream).collect(Collectors.toSet());
  }

  private List<MessageId> write(String name, Random random) throws Exception {
    List<MessageId> committed = new ArrayList<>();
    try (Connection connection = environment().applications().getConnection()) {
      connection.setAutoCommit(false);
      int number = 0;
      for (int transaction = 0; transaction < TRANSACTIONS; transaction++) {
        List<MessageId> ids = new ArrayList<>();
        for (int call = 0; call <= random.nextInt(3); call++) {
          List<Message> messages = new ArrayList<>();
          for (int key = 0; key < 3; key++) {
            String text = "%06d".formatted(number++);
            messages.add(message(name + " key " + key, text));
          }
          messages.add(unkeyed("unkeyed"));
          ids.addAll(outbox().enqueue(connection, messages));
        }
        if (random.nextInt(4) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          outbox().wake();
          committed.addAll(ids);
        }
      }
    }
    return committed;
  }

  @Test
  void a_broker_and_a_store_that_fail_now_and_then_lose_and_double_nothing() throws Exception {
    Random random = seeded("faults");
    Random faults = new Random(random.nextLong());
    Relay first = closing(real(broker.publisher()).start());
    Relay second = closing(real(broker.publisher()).start());
    store().plan(call -> settleFault(call, faults));
    broker.fail(envelope -> random.nextInt(50) == 0, new IllegalStateException("no room"));
    Set<MessageId> committed = writeTogether(new Random(random.nextLong()));
    broker.await(committed.size(), PATIENCE);
    store().plan(call -> FaultyStore.Fault.NONE);
    first.close();
    second.close();
    assertThat(broker.ids()).isEqualTo(committed);
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int key = 0; key < 3; key++) {
        assertThat(texts("writer " + writer + " key " + key)).isSorted();
      }
    }
    assertEmpty();
  }

  private static FaultyStore.Fault settleFault(StoreCall call, Random random) {
    synchronized (random) {
      return call != StoreCall.SETTLE
          ? FaultyStore.Fault.NONE
          : switch (random.nextInt(10)) {
            case 0 -> FaultyStore.Fault.BEFORE;
            case 1 -> FaultyStore.Fault.AFTER;
            default -> FaultyStore.Fault.NONE;
          };
    }
  }
}
