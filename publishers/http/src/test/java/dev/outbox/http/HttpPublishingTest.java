package dev.outbox.http;

import dev.outbox.testkit.contract.PublisherContract;
import dev.outbox.testkit.contract.PublisherEnvironment;
import java.time.Duration;

/** What every publisher must do; {@link HttpContractTest} has what takes longer. */
class HttpPublishingTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() {
    return new HttpEnvironment(Duration.ofSeconds(5));
  }
}
