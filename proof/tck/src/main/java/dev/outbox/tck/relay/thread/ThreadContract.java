package dev.outbox.tck.relay.thread;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** What relays and workers do on their own threads. */
public abstract class ThreadContract {
  private final Opener opener;

  protected ThreadContract(Opener opener) {
    this.opener = opener;
  }

  /** Everything arrives once and in order. */
  @Nested
  class Many_writers extends ManyWritersCases {
    Many_writers() {
      super(ThreadContract.this.opener);
    }
  }

  /** A connection is lost while a publisher sends. */
  @Nested
  class Lost_connections extends LostConnectionCases {
    Lost_connections() {
      super(ThreadContract.this.opener);
    }
  }

  /** A commit cuts a rest short. */
  @Nested
  class Waking extends WakeUpCases {
    Waking() {
      super(ThreadContract.this.opener);
    }
  }

  /** A closed relay leaves nothing behind. */
  @Nested
  class Closing extends ThreadCloseCases {
    Closing() {
      super(ThreadContract.this.opener);
    }
  }

  /** Real workers on their own threads. */
  @Nested
  class With_workers extends WorkerCases {
    With_workers() {
      super(ThreadContract.this.opener);
    }
  }

  /** Brokers that go down under load, and messages that look as if they did. */
  @Nested
  class Broker_outages extends LongOutageCases {
    Broker_outages() {
      super(ThreadContract.this.opener);
    }
  }

  /** The same by rows. */
  @Nested
  class Broker_outages_by_rows extends LongOutageCases.ByRows {
    Broker_outages_by_rows() {
      super(ThreadContract.this.opener);
    }
  }
}
