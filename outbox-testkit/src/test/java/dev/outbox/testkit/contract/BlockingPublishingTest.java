package dev.outbox.testkit.contract;

final class BlockingPublishingTest extends PublisherContract {
  @Override
  protected PublisherEnvironment open() {
    return new InMemoryPublishing((broker, threads) -> broker.publisher());
  }
}
