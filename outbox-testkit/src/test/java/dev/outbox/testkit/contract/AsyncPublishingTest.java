package dev.outbox.testkit.contract;

final class AsyncPublishingTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() {
    return new InMemoryPublishing((broker, threads) -> broker.asyncPublisher(threads));
  }
}
