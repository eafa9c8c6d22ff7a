package dev.outbox.testkit.contract;

import dev.outbox.publish.Publisher;
import java.util.Map;

final class RoutedPublishingTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() {
    return new InMemoryPublishing(
        (broker, threads) ->
            Publisher.route(
                Map.of(
                    "orders.placed", broker.publisher(), "mails", broker.asyncPublisher(threads))));
  }
}
