package dev.outbox.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The publishers of a test: closed after it, when the broker is brought up again. */
final class TestPublishers implements AfterEachCallback {
  private final List<RabbitPublisher> publishers = new ArrayList<>();

  RabbitPublisher of(RabbitPublisher.Builder builder) {
    return of(builder, Answers.DEADLINE);
  }

  RabbitPublisher of(RabbitPublisher.Builder builder, Duration publishDeadline) {
    RabbitPublisher publisher = builder.publishDeadline(publishDeadline).build();
    publishers.add(publisher);
    return publisher;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    publishers.forEach(RabbitPublisher::close);
    TestBroker broker = TestBroker.get();
    broker.network.restore();
    broker.server.restart();
  }
}
