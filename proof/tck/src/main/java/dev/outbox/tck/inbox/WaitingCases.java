package dev.outbox.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox.Answer;
import dev.outbox.message.MessageId;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who comes while another works waits for its end. */
public abstract class WaitingCases extends InboxCases {
  private static final int WAITERS = 4;
  private static final int ROUNDS = Dose.of(6, 15);

  protected WaitingCases(Opener opener) {
    super(opener);
  }

  private static void assertWaits(Future<Answer> second) throws Exception {
    try {
      throw new AssertionError("it did not wait: " + second.get(300, TimeUnit.MILLISECONDS));
    } catch (TimeoutException stillWaiting) {
      assertThat(second.isDone()).isFalse();
    }
  }

  @Test
  void a_repeat_waits_for_the_first_and_then_does_nothing() throws Exception {
    MessageId id = MessageId.next();
    AtomicInteger worked = new AtomicInteger();
    Connection first = begin();
    inbox().once(first, MAILER, id, transaction -> worked.incrementAndGet());
    Future<Answer> second = Crew.start(() -> commit(MAILER, id, worked::incrementAndGet));
    assertWaits(second);
    first.commit();
    assertThat(Crew.end(second, SOON)).isEqualTo(Answer.REPEATED);
    assertThat(worked).hasValue(1);
  }

  @Test
  void a_repeat_does_the_work_when_the_first_rolls_back() throws Exception {
    MessageId id = MessageId.next();
    Connection first = begin();
    inbox().once(first, MAILER, id, transaction -> {});
    Future<Answer> second = Crew.start(() -> commit(id));
    assertWaits(second);
    first.rollback();
    assertThat(Crew.end(second, SOON)).isEqualTo(Answer.DONE);
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
  }

  @Test
  void a_repeat_does_the_work_when_the_first_is_closed_without_a_commit() throws Exception {
    MessageId id = MessageId.next();
    Connection first = begin();
    inbox().once(first, MAILER, id, transaction -> {});
    Future<Answer> second = Crew.start(() -> commit(id));
    assertWaits(second);
    first.close();
    assertThat(Crew.end(second, SOON)).isEqualTo(Answer.DONE);
  }

  /** Of many that wait for one key, all but one would deadlock at the INSERT on InnoDB. */
  @Test
  void of_many_that_wait_while_the_first_rolls_back_one_does_the_work_and_none_deadlocks()
      throws Exception {
    long before = environment().deadlocks();
    for (int round = 0; round < ROUNDS; round++) {
      MessageId id = MessageId.next();
      Connection first = begin();
      inbox().once(first, MAILER, id, transaction -> {});
      CountDownLatch coming = new CountDownLatch(WAITERS);
      List<Future<Answer>> waiters =
          IntStream.range(0, WAITERS).mapToObj(i -> Crew.start(() -> late(id, coming))).toList();
      assertThat(coming.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertWaits(waiters.get(0));
      first.rollback();
      first.close();
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> waiter : waiters) {
        answers.add(Crew.end(waiter, SOON));
      }
      assertThat(answers).containsOnlyOnce(Answer.DONE);
      assertThat(Collections.frequency(answers, Answer.REPEATED)).isEqualTo(WAITERS - 1);
    }
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  private Answer late(MessageId id, CountDownLatch coming) throws Exception {
    coming.countDown();
    return commit(id);
  }

  @Test
  void every_message_three_times_from_four_threads_with_rollbacks_takes_effect_once()
      throws Exception {
    Map<MessageId, Integer> effects = new ConcurrentHashMap<>();
    List<MessageId> ids = ids(60);
    long before = environment().deadlocks();
    Random random = StoreCases.seeded("three times from four threads");
    List<Callable<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      List<MessageId> thrice = new ArrayList<>();
      IntStream.range(0, 3).forEach(time -> thrice.addAll(ids));
      Collections.shuffle(thrice, random);
      Random own = new Random(random.nextLong());
      threads.add(() -> feed(thrice, own, effects));
    }
    Crew.together(threads);
    for (MessageId id : ids) {
      commitCounting(id, effects);
    }
    assertThat(effects)
        .containsOnlyKeys(ids)
        .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    assertThat(environment().deadlocks() - before).as("deadlocks").isZero();
  }

  /** A fifth of the transactions roll back, whatever they have done. */
  private int feed(List<MessageId> ids, Random random, Map<MessageId, Integer> effects)
      throws Exception {
    for (MessageId id : ids) {
      if (random.nextInt(5) == 0) {
        try (Connection connection = environment().consumers().getConnection()) {
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
          connection.setAutoCommit(false);
          inbox().once(connection, MAILER, id, transaction -> {});
          connection.rollback();
        }
      } else {
        commitCounting(id, effects);
      }
    }
    return ids.size();
  }

  /** An effect counts once it is committed. */
  private void commitCounting(MessageId id, Map<MessageId, Integer> effects) throws Exception {
    if (commit(id) == Answer.DONE) {
      effects.merge(id, 1, Integer::sum);
    }
  }
}
