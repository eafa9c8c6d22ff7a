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
