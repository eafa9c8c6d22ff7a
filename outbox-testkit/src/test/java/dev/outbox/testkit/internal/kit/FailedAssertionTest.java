package dev.outbox.testkit.internal.kit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  /** A publisher may give all its messages one answer. */
  @Test
  void one_that_two_relays_have_heard_is_thrown_as_it_is() {
    AssertionError error = new AssertionError("acme");
    FailedAssertion ofDrains = new FailedAssertion();
    FailedAssertion ofThreads = new FailedAssertion();
    ofDrains.hear(Ack.failed(error));
    ofThreads.hear(Ack.failed(error));

    assertThatThrownBy(() -> ofThreads.rethrowAfter(() -> ofDrains.rethrowAfter(() -> {})))
        .isSameAs(error);
  }
}
