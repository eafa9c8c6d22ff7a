package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DeadFilterTest {
  /** Such as a variable that is not set: a discard would delete the dead letters of all topics. */
  @Test
  void a_criterion_that_is_null_does_not_widen_the_filter() {
    Filter some = Filter.all().key("42");

    refused("topic", () -> some.topic(null));
    refused("reason", () -> some.reason(null));
    refused("olderThan", () -> some.olderThan(null));
    refused("error", () -> some.error(null));
  }

  private static void refused(String criterion, ThrowingCallable call) {
    assertThatNullPointerException()
        .isThrownBy(call)
        .withMessage("%s is null; leave %s(..) out where any fits", criterion, criterion);
  }

  @Test
  void criteria_add_up() {
    Duration hour = Duration.ofHours(1);

    assertThat(
            Filter.all().topic("mails").reason(Reason.CRASH).olderThan(hour).error("time").upTo(7))
        .isEqualTo(new Filter("mails", null, Reason.CRASH, hour, "time", 7L));
  }
}
