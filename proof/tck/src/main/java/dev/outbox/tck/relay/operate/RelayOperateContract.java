package dev.outbox.tck.relay.operate;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** How relays come and go, and what operators do with them. */
public abstract class RelayOperateContract {
  private final Opener opener;

  protected RelayOperateContract(Opener opener) {
    this.opener = opener;
  }

  /** Lanes of relays that crash are taken over. */
  @Nested
  class Taking_over extends TakeoverCases {
    Taking_over() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** A relay that was taken over changes nothing any more. */
  @Nested
  class Zombies extends ZombieCases {
    Zombies() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** Relays share the lanes. */
  @Nested
  class Sharing extends SharingCases {
    Sharing() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** A closed relay leaves nothing behind. */
  @Nested
  class Closing extends CloseCases {
    Closing() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** A store that does not answer. */
  @Nested
  class Lost_replies extends LostReplyCases {
    Lost_replies() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** A message that kills relays is found. */
  @Nested
  class Crash_loops extends CrashLoopCases {
    Crash_loops() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** Reads begin above what was settled, and nothing is lost. */
  @Nested
  class Floors extends FloorCases {
    Floors() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** Ids are given again under a relay. */
  @Nested
  class Ids_given_again extends IdsAgainCases {
    Ids_given_again() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** Operators handle dead letters in bulk. */
  @Nested
  class Operating extends OperatorCases {
    Operating() {
      super(RelayOperateContract.this.opener);
    }
  }

  /** Operators change single topics. */
  @Nested
  class Setting_topics extends TopicDoorCases {
    Setting_topics() {
      super(RelayOperateContract.this.opener);
    }
  }
}
