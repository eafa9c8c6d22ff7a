package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.message.Message;
import org.junit.jupiter.api.Test;

class OperatorsDoorTest {
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
}
