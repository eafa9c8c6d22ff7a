package dev.outbox.examples.testing;

import dev.outbox.testkit.contract.PublisherContract;
import dev.outbox.testkit.contract.PublisherEnvironment;

class BatchWebhookTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() throws Exception {
    return new WebhookServer(uri -> new MoreWebhooks(uri).batch());
  }
}
