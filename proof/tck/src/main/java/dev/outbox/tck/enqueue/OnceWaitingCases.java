package dev.outbox.tck.enqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who enqueues a key that another transaction has taken waits for its end. */
public abstract class OnceWaitingCases extends RelayCases {
  private static final int WAITERS = 4;
  private static final int ROUNDS = Dose.of(5, 12);
  private static final int ROUNDS_OF_EXPIRY = Dose.of(25, 60);

  protected OnceWaitingCases(Opener opener) {
    super(opener);
  }

  private static Message once(String key, String text) {
    return Message.to(TOPIC).dedupeKey(key).text(text);
  }

  private Connection readCommitted() throws Exception {
    Connection connection = begin();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return connection;
  }

  private List<MessageId> late(List<Message> messages) throws Exception {
    try (Connection connection = environment().applications().getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      List<MessageId> ids = outbox().enqueue(connection, messages);
      connection.commit();
      return ids;
    }
  }

  private static void assertWaits(Future<?> second) throws Exception {
    try {
      throw new AssertionError("it did not wait: " + second.get(300, TimeUnit.MILLISECONDS));
    } catch (TimeoutException stillWaiting) {
      assertThat(second.isDone()).isFalse();
    }
  }

  @Test
  void a_repeat_waits_for_the_first_and_takes_its_id() throws Exception {
    Connection first = readCommitted();
    MessageId id = outbox().enqueue(first, once("a", "1"));
    Future<List<MessageId>> second = Crew.start(() -> late(List.of(once("a", "2"))));
    assertWaits(second);
    first.commit();
    assertThat(Crew.end(second, PATIENCE)).containsExactly(id);
    assertThat(tableCounts()).isEqualTo(new TableCounts(1, 0, 0, 0));
  }

  @Test
  void of_many_that_wait_while_the_first_rolls_back_one_writes_and_none_deadlocks()
      throws Exception {
    long before = environment().deadlocks();
    for (int round = 0; round < ROUNDS; round++) {
      String key = "key " + round;
      Connection first = readCommitted();
      MessageId gone = outbox().enqueue(first, once(key, "never"));
      CountDownLatch coming = new CountDownLatch(WAITERS);
      List<Future<List<MessageId>>> waiters =
          IntStream.range(0, WAITERS)
              .mapToObj(
                  i ->
                      Crew.start(
                          () -> {
                            coming.countDown();
                            return late(List.of(once(key, "x")));
                          }))
              .toList();
      assertThat(coming.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertWaits(waiters.get(0));
      first.rollback();
      first.close();
      Set<MessageId> ids = new HashSet<>();
      for (Future<List<MessageId>> waiter : waiters) {
        ids.addAll(Crew.end(waiter, PATIENCE));
      }
      assertThat(ids).hasSize(1).doesNotContain(gone);
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(ROUNDS, 0, 0, 0));
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  @Test
  void writers_of_several_keys_in_any_order_do_not_deadlock() throws Exception {
    Map<String, Set<MessageId>> ids = new ConcurrentHashMap<>();
    long before = environment().deadlocks();
    Random random = seeded("several keys in any order");
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      Random own = new Random(random.nextLong());
      writers.add(() -> write(own, ids));
    }
    Crew.together(writers);
    assertThat(ids.values()).allSatisfy(id -> assertThat(id).hasSize(1));
    assertThat(tableCounts()).isEqualTo(new TableCounts(ids.size(), 0, 0, 0));
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  private int write(Random random, Map<String, Set<MessageId>> ids) throws Exception {
    List<String> keys = new ArrayList<>(IntStream.range(0, 30).mapToObj(i -> "key " + i).toList());
    for (int round = 0; round < 10; round++) {
      Collections.shuffle(keys, random);
      List<String> some = keys.subList(0, 1 + random.nextInt(10));
      List<Message> messages = some.stream().map(key -> once(key, key)).toList();
      if (random.nextInt(3) == 0) {
        try (Connection connection = readCommitted()) {
          outbox().enqueue(connection, messages);
          connection.rollback();
        }
      } else {
        List<MessageId> given = late(messages);
        for (int i = 0; i < given.size(); i++) {
          ids.computeIfAbsent(some.get(i), key -> ConcurrentHashMap.newKeySet()).add(given.get(i));
        }
      }
    }
    return 10;
  }

  /** Where the purge waited for a key, those who took it again would deadlock with it. */
  @Test
  void keys_that_expire_are_taken_again_while_they_are_purged_and_none_deadlocks()
      throws Exception {
    long before = environment().deadlocks();
    Random random = seeded("keys that expire");
    AtomicInteger left = new AtomicInteger(WAITERS);
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int writer = 0; writer < WAITERS; writer++) {
      Random own = new Random(random.nextLong());
      threads.add(
          () -> {
            try {
              return expiring(own);
            } finally {
              left.decrementAndGet();
            }
          });
    }
    Random size = new Random(random.nextLong());
    threads.add(() -> purging(size, left));
    Crew.together(threads);
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  /** Takes keys that are to be kept no longer at once. */
  private int expiring(Random random) throws Exception {
    List<String> keys = new ArrayList<>(IntStream.range(0, 20).mapToObj(i -> "key " + i).toList());
    int taken = 0;
    try (Connection connection = readCommitted()) {
      for (int round = 0; round < ROUNDS_OF_EXPIRY; round++) {
        Collections.shuffle(keys, random);
        SortedMap<DedupeKey, MessageId> ids = new TreeMap<>();
        keys.subList(0, 1 + random.nextInt(8))
            .forEach(key -> ids.put(new DedupeKey(TOPIC, key), MessageId.next()));
        taken += store().dedupe().take(connection, ids, Duration.ZERO).size();
        if (random.nextInt(4) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
    return taken;
  }

  private int purging(Random random, AtomicInteger writers) {
    int purged = 0;
    while (writers.get() > 0) {
      purged += store().dedupe().purge(1 + random.nextInt(10));
    }
    return purged;
  }
}
