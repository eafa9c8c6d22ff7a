package dev.outbox.tck;

import dev.outbox.tck.relay.operate.CloseCases;
import dev.outbox.tck.relay.operate.CrashLoopCases;
import dev.outbox.tck.relay.operate.FloorCases;
import dev.outbox.tck.relay.operate.IdsAgainCases;
import dev.outbox.tck.relay.operate.LostReplyCases;
import dev.outbox.tck.relay.operate.OperatorCases;
import dev.outbox.tck.relay.operate.TakeoverCases;
import dev.outbox.tck.relay.operate.TopicDoorCases;
import dev.outbox.tck.relay.publish.AnswerCases;
import dev.outbox.tck.relay.publish.BreakerCases;
import dev.outbox.tck.relay.publish.DeliveringCases;
import dev.outbox.tck.relay.publish.DyingCases;
import dev.outbox.tck.relay.publish.FailingCases;
import dev.outbox.tck.relay.publish.GateCases;
import dev.outbox.tck.relay.publish.OutageCases;
import dev.outbox.tck.relay.publish.PutOffCases;
import dev.outbox.tck.relay.publish.ReferenceCases;
import dev.outbox.tck.relay.publish.RowRelayCases;
import dev.outbox.tck.relay.publish.StrictTopicCases;
import dev.outbox.tck.relay.publish.ThreadCases;
import org.junit.jupiter.api.Nested;

/**
 * What a relay must do over every store, proven with relays driven by hand, with stores and
 * publishers that fail at the worst moment, and with real threads. Extend it, say how to open an
 * empty store, and run it as a JUnit test.
 *
 * <p>Random cases print their seed; {@code -Doutbox.seed=...} repeats one.
 */
public abstract class RelayContract {
  /** For subclasses. */
  protected RelayContract() {}

  /** Opens an empty store laid out as {@code setting} says. The case closes it. */
  protected abstract StoreEnvironment open(StoreSetting setting) throws Exception;

  /** What is committed is published, once and in order. */
  @Nested
  class Delivering extends DeliveringCases {
    Delivering() {
      super(RelayContract.this::open);
    }
  }

  /** A failed message holds its key and nothing else. */
  @Nested
  class Failing extends FailingCases {
    Failing() {
      super(RelayContract.this::open);
    }
  }

  /** A broker that is down costs no attempts. */
  @Nested
  class Outages extends OutageCases {
    Outages() {
      super(RelayContract.this::open);
    }
  }

  /** What cannot be published ends as a dead letter, and comes back by replay. */
  @Nested
  class Dying extends DyingCases {
    Dying() {
      super(RelayContract.this::open);
    }
  }

  /** Delayed messages leave at their time. */
  @Nested
  class Putting_off extends PutOffCases {
    Putting_off() {
      super(RelayContract.this::open);
    }
  }

  /** Publishers that answer twice, late, wrongly or never. */
  @Nested
  class Strange_answers extends AnswerCases {
    Strange_answers() {
      super(RelayContract.this::open);
    }
  }

  /** Relays that crash, freeze, come and go. */
  @Nested
  class Taking_over extends TakeoverCases {
    Taking_over() {
      super(RelayContract.this::open);
    }
  }

  /** Relays share the lanes. */
  @Nested
  class Sharing extends TakeoverCases.Sharing {
    Sharing() {
      super(RelayContract.this::open);
    }
  }

  /** A closed relay leaves nothing behind. */
  @Nested
  class Closing extends CloseCases {
    Closing() {
      super(RelayContract.this::open);
    }
  }

  /** A store that does not answer. */
  @Nested
  class Lost_replies extends LostReplyCases {
    Lost_replies() {
      super(RelayContract.this::open);
    }
  }

  /** Relays over tables that are claimed by rows. */
  @Nested
  class By_rows extends RowRelayCases {
    By_rows() {
      super(RelayContract.this::open);
    }
  }

  /** What row claims can do is refused over lanes. */
  @Nested
  class Refusing extends RowRelayCases.OverLanes {
    Refusing() {
      super(RelayContract.this::open);
    }
  }

  /** Payloads that stand in rows of the application's own. */
  @Nested
  class By_reference extends ReferenceCases.ByLanes {
    By_reference() {
      super(RelayContract.this::open);
    }
  }

  /** The same over row claims. */
  @Nested
  class By_reference_by_rows extends ReferenceCases.ByRows {
    By_reference_by_rows() {
      super(RelayContract.this::open);
    }
  }

  /** A topic that is paused or limited is held. */
  @Nested
  class Holding_topics extends GateCases {
    Holding_topics() {
      super(RelayContract.this::open);
    }
  }

  /** The same over row claims. */
  @Nested
  class Holding_topics_by_rows extends GateCases.ByRows {
    Holding_topics_by_rows() {
      super(RelayContract.this::open);
    }
  }

  /** A broker that is down is told from messages that fail. */
  @Nested
  class Breaking extends BreakerCases {
    Breaking() {
      super(RelayContract.this::open);
    }
  }

  /** A message that kills relays is found. */
  @Nested
  class Crash_loops extends CrashLoopCases {
    Crash_loops() {
      super(RelayContract.this::open);
    }
  }

  /** Reads begin above what was settled, and nothing is lost. */
  @Nested
  class Floors extends FloorCases {
    Floors() {
      super(RelayContract.this::open);
    }
  }

  /** Ids are given again under a relay. */
  @Nested
  class Ids_given_again extends IdsAgainCases {
    Ids_given_again() {
      super(RelayContract.this::open);
    }
  }

  /** Dead letters of strict topics hold their keys. */
  @Nested
  class Strict_topics extends StrictTopicCases {
    Strict_topics() {
      super(RelayContract.this::open);
    }
  }

  /** Operators handle dead letters in bulk. */
  @Nested
  class Operating extends OperatorCases {
    Operating() {
      super(RelayContract.this::open);
    }
  }

  /** Operators change single topics. */
  @Nested
  class Setting_topics extends TopicDoorCases {
    Setting_topics() {
      super(RelayContract.this::open);
    }
  }

  /** Real relays on their own threads. */
  @Nested
  class With_threads extends ThreadCases {
    With_threads() {
      super(RelayContract.this::open);
    }
  }

  /** Real workers on their own threads. */
  @Nested
  class With_workers extends ThreadCases.ByRows {
    With_workers() {
      super(RelayContract.this::open);
    }
  }
}
