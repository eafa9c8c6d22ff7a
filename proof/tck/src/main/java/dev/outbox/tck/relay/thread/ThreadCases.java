package dev.outbox.tck.relay.thread;

import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import java.time.Duration;
import java.util.Optional;

/** What the cases of real relays on their own threads share. */
abstract class ThreadCases extends RelayCases {
  ThreadCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(8);
  }

  Relay.Builder real(Publisher publisher) {
    return Relay.builder(store(), publisher)
        .name("contract")
        .lease(Duration.ofSeconds(6), Duration.ofSeconds(1))
        .poll(Duration.ofMillis(100))
        .retry((attempts, failing) -> Optional.of(Duration.ofMillis(20)))
        .listener(countingListener);
  }
}
