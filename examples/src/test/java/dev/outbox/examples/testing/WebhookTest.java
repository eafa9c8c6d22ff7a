package dev.outbox.examples.testing;

import dev.outbox.testkit.contract.PublisherContract;
import dev.outbox.testkit.contract.PublisherEnvironment;

// tag::contract[]
class WebhookTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() throws Exception {
    return new WebhookServer(Webhook::to);
  }
}
// end::contract[]
