package dev.outbox.testkit;

import dev.outbox.spi.ReceiptStore;
import dev.outbox.tck.InboxContract;
import dev.outbox.tck.InboxEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

final class InMemoryInboxTest extends InboxContract {
  @Override
  protected InboxEnvironment open() {
    return new Environment();
  }

  /** Receipts whose clock runs, and can be put forwards. */
  private static final class Environment implements InboxEnvironment {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final InMemoryStore store =
        InMemoryStore.builder().clock(() -> Instant.now().plus(ahead.get())).build();

    @Override
    public ReceiptStore receipts() {
      return store.receipts();
    }

    @Override
    public DataSource consumers() {
      return store.dataSource();
    }

    @Override
    public void passTime(Duration step) {
      ahead.accumulateAndGet(step, Duration::plus);
    }

    @Override
    public void close() {}
  }
}
