package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class PublisherCasesTest {
  @Test
  void a_consumer_may_see_a_little_later_what_is_delivered() throws Exception {
    BrokerCases cases = new BrokerTakingCases(LateConsumer::new) {};
    cases.open();
    try {
      List<Envelope> envelopes = cases.takingTurns(2, 3);
      cases.deliverTheRest(envelopes);
      cases.requireInOrder(2, 3);
    } finally {
      cases.close();
    }
  }

  private static final class LateConsumer extends InMemoryPublishing {
    private int looks;

    private LateConsumer() {
      super((broker, threads) -> broker.publisher());
    }

    @Override
    public List<Received> received() {
      return looks++ < 2 ? List.of() : super.received();
    }
  }

  @Test
  void a_broker_that_is_not_there_is_all_that_is_reported() {
    PublisherCases cases = new PublisherCases(() -> Assumptions.abort("no broker here")) {};

    assertThatThrownBy(cases::open).hasMessage("no broker here");
    assertThatCode(cases::close).doesNotThrowAnyException();
  }
}
