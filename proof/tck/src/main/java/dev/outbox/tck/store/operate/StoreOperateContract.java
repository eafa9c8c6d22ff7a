package dev.outbox.tck.store.operate;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** What a store keeps for later and for operators. */
public abstract class StoreOperateContract {
  private final Opener opener;

  protected StoreOperateContract(Opener opener) {
    this.opener = opener;
  }

  /** A failed message holds back the rest of its key. */
  @Nested
  class Parking extends ParkedCases {
    Parking() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** A paused topic waits for its release. */
  @Nested
  class Holding_topics extends TopicHoldCases {
    Holding_topics() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Held topics are left out of what is due. */
  @Nested
  class Leaving_topics_out extends HeldTopicCases {
    Leaving_topics_out() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** A delayed message is never early. */
  @Nested
  class Delaying extends DelayedCases {
    Delaying() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Dead letters wait for an operator. */
  @Nested
  class Dead_letters extends DeadLetterCases {
    Dead_letters() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** An operator asks for those that matter. */
  @Nested
  class Finding_dead_letters extends DeadFilterCases {
    Finding_dead_letters() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Relays know of each other. */
  @Nested
  class Registry extends RegistryCases {
    Registry() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** What is set per topic. */
  @Nested
  class Topics extends TopicCases {
    Topics() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** How much there is. */
  @Nested
  class Snapshots extends SnapshotCases {
    Snapshots() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Delivered messages are kept where asked for. */
  @Nested
  class Archive extends ArchiveCases {
    Archive() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Single messages are found, cancelled and published again. */
  @Nested
  class Messages extends MessageCases {
    Messages() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** One cluster among several. */
  @Nested
  class Among_clusters extends ClusterCases {
    Among_clusters() {
      super(StoreOperateContract.this.opener);
    }
  }

  /** Many writers, several relays, each message once. */
  @Nested
  class Under_load extends LoadCases {
    Under_load() {
      super(StoreOperateContract.this.opener);
    }
  }
}
