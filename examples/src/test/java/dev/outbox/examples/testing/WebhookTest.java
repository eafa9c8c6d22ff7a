package dev.outbox.examples.testing;

import dev.outbox.testkit.contract.PublisherContract;
import dev.outbox.testkit.contract.PublisherEnvironment;

class WebhookTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() throws Exception {
    return new WebhookServer(Webhook::to);
  }
}
