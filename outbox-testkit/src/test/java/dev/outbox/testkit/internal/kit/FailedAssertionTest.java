package dev.outbox.testkit.internal.kit;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.outbox.publish.Ack;
import org.junit.jupiter.api.Test;

class FailedAssertionTest {
  /** Two exceptions, each the cause of the other, as some clients make them. */
  @Test
  void a_circle_of_causes_has_an_end() {
    Exception first = new IllegalStateException("first");
    first.initCause(new IllegalStateException("second", first));
    FailedAssertion failedAssertion = new FailedAssertion();

    assertThatCode(() -> failedAssertion.hear(Ack.failed(first))).doesNotThrowAnyException();
    assertThatCode(() -> failedAssertion.rethrowAfter(() -> {})).doesNotThrowAnyException();
  }
}
