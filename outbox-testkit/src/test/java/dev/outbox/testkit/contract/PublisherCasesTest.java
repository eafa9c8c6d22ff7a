package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class PublisherCasesTest {
  @Test
  void a_broker_that_is_not_there_is_all_that_is_reported() {
    PublisherCases cases = new PublisherCases(() -> Assumptions.abort("no broker here")) {};

    assertThatThrownBy(cases::open).hasMessage("no broker here");
    assertThatCode(cases::close).doesNotThrowAnyException();
  }
}
