package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.outbox.Archive;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.message.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OperatorsCallsTest {
  @Test
  void a_null_that_is_asked_between_portions_is_refused_before_the_first() {
    try (Kit kit = Kit.inMemory()) {
      kit.broker().rejectIf(any -> true, "no such customer");
      kit.enqueue(Message.to("mails").text("1"), Message.to("mails").text("2"));
      kit.deliver();
      DeadLetters dead = DeadLetters.create(kit.store());

      assertThatNullPointerException()
          .isThrownBy(() -> dead.discard(Filter.all(), null))
          .withMessage("goOn");
      assertThatNullPointerException()
          .isThrownBy(() -> dead.replay(Filter.all(), ReplayPlan.atOnce(), null))
          .withMessage("goOn");

      assertThat(dead.count(10)).isEqualTo(2);
    }
  }

  @Test
  void a_replay_at_a_pace_does_not_make_up_for_a_stall() {
    try (Kit kit = Kit.inMemory()) {
      kit.broker().rejectIf(any -> true, "no such customer");
      kit.enqueue(Collections.nCopies(120, Message.to("mails").text("1")).toArray(Message[]::new));
      kit.deliver();
      AtomicLong second = new AtomicLong();
      List<Long> within = new ArrayList<>();

      DeadLetters.create(kit.store())
          .replay(
              Filter.all(),
              ReplayPlan.paced(50),
              soFar -> {
                if (within.isEmpty()) {
                  LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
                  second.set(System.nanoTime() + Duration.ofSeconds(1).toNanos());
                }
                boolean isWithin = System.nanoTime() - second.get() < 0;
                if (isWithin) {
                  within.add(soFar.messages());
                }
                return isWithin;
              });

      assertThat(within.get(within.size() - 1) - within.get(0))
          .as("50 in a second, and a portion")
          .isBetween(5L, 55L);
    }
  }

  @Test
  void the_archive_is_published_again_from_the_beginning_of_all_time() {
    SettableClock clock = SettableClock.create();
    InMemoryStore store = InMemoryStore.builder().archive().clock(clock).build();
    try (Kit kit = Kit.builder().over(store, store.dataSource()).clock(clock).build()) {
      kit.enqueue(Message.to("mails").text("1"), Message.to("mails").text("2"));
      kit.deliver();
      Instant to = clock.advance(Duration.ofSeconds(1));

      assertThat(Archive.create(store).publishAgain("mails", Instant.MIN, to)).isEqualTo(2);
    }
  }
}
