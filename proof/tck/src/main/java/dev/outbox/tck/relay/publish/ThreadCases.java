package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Real relays on their own threads. */
public abstract class ThreadCases extends RelayCases {
  private static final int WRITERS = 8;
  private static final int TRANSACTIONS = 40;

  protected ThreadCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(8);
  }

  private Relay.Builder real(Publisher publisher) {
    return Relay.builder(store(), publisher)
        .name("contract")
        .lease(Duration.ofSeconds(6), Duration.ofSeconds(1))
        .poll(Duration.ofMillis(100))
        .retry((attempts, failing) -> Optional.of(Duration.ofMillis(20)))
        .listener(countingListener);
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
  void two_relays_have_one_of_a_key_in_the_air() throws Exception {
    ExecutorService sending = Executors.newFixedThreadPool(4);
    try {
      OneOfAKey publisher = new OneOfAKey(broker.asyncPublisher(sending));
      writersAndRelays(2, publisher);
      assertThat(publisher.together()).isEmpty();
    } finally {
      sending.shutdownNow();
    }
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

  private static FaultyStore.Fault settleFault(FaultyStore.Call call, Random random) {
    synchronized (random) {
      return call != FaultyStore.Call.SETTLE
          ? FaultyStore.Fault.NONE
          : switch (random.nextInt(10)) {
            case 0 -> FaultyStore.Fault.BEFORE;
            case 1 -> FaultyStore.Fault.AFTER;
            default -> FaultyStore.Fault.NONE;
          };
    }
  }

  /** A relay that rests for up to a minute. */
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

  @Test
  void starting_and_closing_leaves_no_threads_no_sessions_and_no_leases() throws Exception {
    List<String> relays = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      commit(numbered("k", 3));
      try (Relay relay = real(broker.publisher()).start()) {
        broker.await(3 * (round + 1), PATIENCE);
        assertThat(threadsOf(relay.name())).isNotEmpty();
        relays.add(relay.name());
      }
      assertThat(store().sessions()).isZero();
    }
    for (String relay : relays) {
      for (Thread thread : threadsOf(relay)) {
        thread.join(5_000);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
    assertThat(texts("k")).hasSize(30);
    started("auditor").drainNow();
    assertThat(countingListener.fenced).isEmpty();
    assertEmpty();
  }

  private static List<Thread> threadsOf(String relay) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-" + relay))
        .toList();
  }

  @Test
  void a_close_lets_what_is_in_the_air_land_and_nothing_is_published_twice() throws Exception {
    CountDownLatch inFlight = new CountDownLatch(1);
    CountDownLatch landing = new CountDownLatch(1);
    Publisher slow =
        Publisher.blocking(
            envelope -> {
              inFlight.countDown();
              landing.await();
              broker.receive(envelope);
            });
    Set<MessageId> committed = new HashSet<>();
    for (int key = 0; key < 10; key++) {
      committed.addAll(commit(numbered("key " + key, 4)));
    }
    Relay relay = closing(real(slow).publishThreads(2).start());
    assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
    Future<?> closing =
        Crew.start(
            () -> {
              relay.close();
              return true;
            });
    landing.countDown();
    closing.get(30, TimeUnit.SECONDS);
    started("next").drainNow();
    assertThat(broker.ids()).isEqualTo(committed);
    assertEmpty();
  }

  @Test
  void a_close_gives_up_a_publisher_that_hangs_and_its_lane_expires() throws Exception {
    CountDownLatch inFlight = new CountDownLatch(1);
    Publisher hanging =
        Publisher.blocking(
            envelope -> {
              inFlight.countDown();
              new CountDownLatch(1).await();
            });
    commit(numbered("k", 3));
    Relay relay = closing(real(hanging).closeDeadline(Duration.ofMillis(200)).start());
    assertThat(inFlight.await(30, TimeUnit.SECONDS)).isTrue();
    relay.close();
    assertThat(store().sessions()).isZero();
    assertThat(tableCounts()).isEqualTo(new TableCounts(3, 0, 0, 0));
    try (dev.outbox.spi.LaneStore session = store().lanes("auditor", Duration.ofSeconds(6))) {
      assertThat(session.claim(8)).hasSize(7);
    }
  }

  /** Real workers over tables that are claimed by rows. */
  public abstract static class ByRows extends RelayCases {
    protected ByRows(Opener opener) {
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
}
