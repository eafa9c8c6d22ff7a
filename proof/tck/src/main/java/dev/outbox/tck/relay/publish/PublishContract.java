package dev.outbox.tck.relay.publish;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** What a relay publishes, and what it makes of the answers. */
public abstract class PublishContract {
  private final Opener opener;

  protected PublishContract(Opener opener) {
    this.opener = opener;
  }

  /** What is committed is published, once and in order. */
  @Nested
  class Delivering extends DeliveringCases {
    Delivering() {
      super(PublishContract.this.opener);
    }
  }

  /** A failed message holds its key and nothing else. */
  @Nested
  class Failing extends FailingCases {
    Failing() {
      super(PublishContract.this.opener);
    }
  }

  /** A broker that is down costs no attempts. */
  @Nested
  class Outages extends OutageCases {
    Outages() {
      super(PublishContract.this.opener);
    }
  }

  /** One message that ends each of its sends in an outage is no outage. */
  @Nested
  class Closing_the_channel extends CulpritCases {
    Closing_the_channel() {
      super(PublishContract.this.opener);
    }
  }

  /** What cannot be published ends as a dead letter, and comes back by replay. */
  @Nested
  class Dying extends DyingCases {
    Dying() {
      super(PublishContract.this.opener);
    }
  }

  /** Delayed messages leave at their time. */
  @Nested
  class Putting_off extends PutOffCases {
    Putting_off() {
      super(PublishContract.this.opener);
    }
  }

  /** Publishers that answer twice, late, wrongly or never. */
  @Nested
  class Strange_answers extends AnswerCases {
    Strange_answers() {
      super(PublishContract.this.opener);
    }
  }

  /** Application code that throws stops no relay. */
  @Nested
  class Throwing extends ThrowingCases {
    Throwing() {
      super(PublishContract.this.opener);
    }
  }

  /** Payloads that are in rows of the application's own. */
  @Nested
  class By_reference extends ReferenceCases.ByLanes {
    By_reference() {
      super(PublishContract.this.opener);
    }
  }

  /** The same over row claims. */
  @Nested
  class By_reference_by_rows extends ReferenceCases.ByRows {
    By_reference_by_rows() {
      super(PublishContract.this.opener);
    }
  }

  /** A topic that is paused or limited is held. */
  @Nested
  class Holding_topics extends GateCases {
    Holding_topics() {
      super(PublishContract.this.opener);
    }
  }

  /** The same over row claims. */
  @Nested
  class Holding_topics_by_rows extends GateCases.ByRows {
    Holding_topics_by_rows() {
      super(PublishContract.this.opener);
    }
  }

  /** A broker that is down is distinguished from messages that fail. */
  @Nested
  class Breaking extends BreakerCases {
    Breaking() {
      super(PublishContract.this.opener);
    }
  }

  /** Dead letters of strict topics hold their keys. */
  @Nested
  class Strict_topics extends StrictTopicCases {
    Strict_topics() {
      super(PublishContract.this.opener);
    }
  }
}
