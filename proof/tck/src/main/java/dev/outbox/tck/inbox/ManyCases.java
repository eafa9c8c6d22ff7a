package dev.outbox.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox.Answer;
import dev.outbox.Inbox.Sorted;
import dev.outbox.message.MessageId;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several messages are received in one go. */
public abstract class ManyCases extends InboxCases {
  private static final int ROUNDS_OF_EXPIRY = 60;

  protected ManyCases(Opener opener) {
    super(opener);
  }

  private Sorted commit(List<MessageId> ids) throws Exception {
    try (Connection connection = environment().consumers().getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      Sorted sorted = inbox().receive(connection, MAILER, ids);
      connection.commit();
      return sorted;
    }
  }

  @Test
  void new_ones_and_repeats_are_distinguished_in_the_order_given() throws Exception {
    List<MessageId> ids = ids(6);
    commit(ids.get(1));
    commit(ids.get(4));
    List<MessageId> given = new ArrayList<>(ids);
    Collections.reverse(given);
    Sorted sorted = commit(given);
    assertThat(sorted.fresh()).containsExactly(ids.get(5), ids.get(3), ids.get(2), ids.get(0));
    assertThat(sorted.repeated()).containsExactly(ids.get(4), ids.get(1));
    assertThat(sorted.tooOld()).isEmpty();
    assertThat(commit(ids).fresh()).isEmpty();
    assertThat(commit(ids).repeated()).isEqualTo(ids);
  }

  @Test
  void the_second_of_one_id_is_a_repeat() throws Exception {
    List<MessageId> ids = ids(2);
    Sorted sorted = commit(List.of(ids.get(0), ids.get(1), ids.get(0)));
    assertThat(sorted.fresh()).isEqualTo(ids);
    assertThat(sorted.repeated()).containsExactly(ids.get(0));
  }

  @Test
  void none_at_all_is_nothing() throws Exception {
    assertThat(commit(List.of())).isEqualTo(new Sorted(List.of(), List.of(), List.of()));
  }

  @Test
  void many_are_received_and_taken_back_together() throws Exception {
    List<MessageId> ids = ids(1200);
    Connection connection = begin();
    assertThat(inbox().receive(connection, MAILER, ids).fresh()).isEqualTo(ids);
    connection.rollback();
    commit(ids.get(700));
    Sorted sorted = commit(ids);
    assertThat(sorted.fresh()).hasSize(1199);
    assertThat(sorted.repeated()).containsExactly(ids.get(700));
    assertThat(commit(ids.get(3))).isEqualTo(Answer.REPEATED);
  }

  @Test
  void lists_of_the_same_messages_in_any_order_do_not_deadlock() throws Exception {
    List<MessageId> ids = ids(40);
    Map<MessageId, Integer> effects = new ConcurrentHashMap<>();
    long before = environment().deadlocks();
    Random random = StoreCases.seeded("lists in any order");
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Random own = new Random(random.nextLong());
      threads.add(() -> shuffled(ids, own, effects));
    }
    Crew.together(threads);
    commit(ids).fresh().forEach(id -> effects.merge(id, 1, Integer::sum));
    assertThat(effects)
        .containsOnlyKeys(ids)
        .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  private int shuffled(List<MessageId> ids, Random random, Map<MessageId, Integer> effects)
      throws Exception {
    for (int round = 0; round < 10; round++) {
      List<MessageId> some = new ArrayList<>(ids);
      Collections.shuffle(some, random);
      some = some.subList(0, 1 + random.nextInt(some.size()));
      try (Connection connection = begin()) {
        List<MessageId> fresh = inbox().receive(connection, MAILER, some).fresh();
        if (random.nextInt(3) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          fresh.forEach(id -> effects.merge(id, 1, Integer::sum));
        }
      }
    }
    return 10;
  }

  @Test
  void receipts_that_expire_are_read_while_they_are_purged_and_none_deadlocks() throws Exception {
    List<MessageId> ids = ids(20);
    long before = environment().deadlocks();
    Random random = StoreCases.seeded("receipts that expire");
    AtomicInteger left = new AtomicInteger(4);
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Random own = new Random(random.nextLong());
      threads.add(
          () -> {
            try {
              return expiring(ids, own);
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

  /** Writes receipts that are to be kept no longer at once. */
  private int expiring(List<MessageId> ids, Random random) throws Exception {
    List<MessageId> some = new ArrayList<>(ids);
    int received = 0;
    try (Connection connection = begin()) {
      for (int round = 0; round < ROUNDS_OF_EXPIRY; round++) {
        Collections.shuffle(some, random);
        received +=
            environment()
                .receipts()
                .receive(
                    connection,
                    MAILER,
                    List.copyOf(some.subList(0, 1 + random.nextInt(8))),
                    Duration.ZERO)
                .size();
        if (random.nextInt(4) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    }
    return received;
  }

  private int purging(Random random, AtomicInteger consumers) {
    int purged = 0;
    while (consumers.get() > 0) {
      purged += environment().receipts().purge(1 + random.nextInt(10));
    }
    return purged;
  }
}
