package dev.outbox.testkit.contract;

import org.junit.jupiter.api.Nested;

/**
 * What every {@link dev.outbox.store.OutboxStore} must do, proven with hostile cases and real
 * threads. Extend it, say how to open an empty store, and run it as a JUnit test:
 *
 * <pre>{@code
 * final class MyStoreTest extends OutboxStoreContract {
 *   @Override
 *   protected StoreEnvironment open(StoreSetting setting) {
 *     return new MyEnvironment(setting);
 *   }
 * }
 * }</pre>
 *
 * <p>Random cases print their seed; {@code -Doutbox.seed=...} repeats one.
 */
public abstract class OutboxStoreContract {
  /** For subclasses. */
  protected OutboxStoreContract() {}

  /** Opens an empty store laid out as {@code setting} says. The case closes it. */
  protected abstract StoreEnvironment open(StoreSetting setting) throws Exception;

  /** What a store tells of itself. */
  @Nested
  class Opening extends OpeningCases {
    Opening() {
      super(OutboxStoreContract.this);
    }
  }

  /** Messages are written in the caller's transaction. */
  @Nested
  class Appending extends AppendingCases {
    Appending() {
      super(OutboxStoreContract.this);
    }
  }

  /** Applications come with sessions of every kind. */
  @Nested
  class Callers extends CallerCases {
    Callers() {
      super(OutboxStoreContract.this);
    }
  }

  /** What was enqueued comes back as it was. */
  @Nested
  class Keeping extends KeepingCases {
    Keeping() {
      super(OutboxStoreContract.this);
    }
  }

  /** Every writer finds the same lane for a key. */
  @Nested
  class Lane_hashing extends LaneHashCases {
    Lane_hashing() {
      super(OutboxStoreContract.this);
    }
  }

  /** A lane has one owner at a time. */
  @Nested
  class Claiming_lanes extends LaneClaimCases {
    Claiming_lanes() {
      super(OutboxStoreContract.this);
    }
  }

  /** A claim whose answer was lost was perhaps written. */
  @Nested
  class Losing_claims extends LostClaimCases {
    Losing_claims() {
      super(OutboxStoreContract.this);
    }
  }

  /** A lane remembers what killed its owners. */
  @Nested
  class Suspecting extends SuspectCases {
    Suspecting() {
      super(OutboxStoreContract.this);
    }
  }

  /** Ids are given again after a restore. */
  @Nested
  class Ids_that_go_back extends IdsGoBackCases {
    Ids_that_go_back() {
      super(OutboxStoreContract.this);
    }
  }

  /** A session can be cut. */
  @Nested
  class Aborting extends AbortCases {
    Aborting() {
      super(OutboxStoreContract.this);
    }
  }

  /** Ready messages are read in order. */
  @Nested
  class Reading extends ReadCases {
    Reading() {
      super(OutboxStoreContract.this);
    }
  }

  /** A read is bounded in bytes. */
  @Nested
  class Bounding_reads extends ByteCases {
    Bounding_reads() {
      super(OutboxStoreContract.this);
    }
  }

  /** A resting relay looks before it reads. */
  @Nested
  class Looking extends LookCases {
    Looking() {
      super(OutboxStoreContract.this);
    }
  }

  /** Who may still commit. */
  @Nested
  class Open_writers extends WriterCases {
    Open_writers() {
      super(OutboxStoreContract.this);
    }
  }

  /** No id appears below a safe one. */
  @Nested
  class Safe_ids extends SafeIdCases {
    Safe_ids() {
      super(OutboxStoreContract.this);
    }
  }

  /** The end of a claim is written once, for all its lanes. */
  @Nested
  class Settling extends SettleCases {
    Settling() {
      super(OutboxStoreContract.this);
    }
  }

  /** What others have not committed makes nobody wait. */
  @Nested
  class In_the_way extends UncommittedCases {
    In_the_way() {
      super(OutboxStoreContract.this);
    }
  }

  /** A relay that lost its lane changes nothing any more. */
  @Nested
  class Fencing extends FencingCases {
    Fencing() {
      super(OutboxStoreContract.this);
    }
  }

  /** A settle whose reply was lost can be repeated. */
  @Nested
  class Repeating extends RepeatCases {
    Repeating() {
      super(OutboxStoreContract.this);
    }
  }

  /** What becomes of a message happens to no other that got its id. */
  @Nested
  class Ids_given_again extends IdGivenAgainCases {
    Ids_given_again() {
      super(OutboxStoreContract.this);
    }
  }

  /** A failed message holds back the rest of its key. */
  @Nested
  class Parking extends ParkedCases {
    Parking() {
      super(OutboxStoreContract.this);
    }
  }

  /** A paused topic waits for its release. */
  @Nested
  class Holding_topics extends TopicHoldCases {
    Holding_topics() {
      super(OutboxStoreContract.this);
    }
  }

  /** Held topics are left out of what is due. */
  @Nested
  class Leaving_topics_out extends HeldTopicCases {
    Leaving_topics_out() {
      super(OutboxStoreContract.this);
    }
  }

  /** Keys are compared exactly. */
  @Nested
  class Telling_keys_apart extends SimilarKeyCases {
    Telling_keys_apart() {
      super(OutboxStoreContract.this);
    }
  }

  /** A delayed message is never early. */
  @Nested
  class Delaying extends DelayedCases {
    Delaying() {
      super(OutboxStoreContract.this);
    }
  }

  /** Dead letters wait for an operator. */
  @Nested
  class Dead_letters extends DeadLetterCases {
    Dead_letters() {
      super(OutboxStoreContract.this);
    }
  }

  /** An operator asks for those that matter. */
  @Nested
  class Finding_dead_letters extends DeadFilterCases {
    Finding_dead_letters() {
      super(OutboxStoreContract.this);
    }
  }

  /** A strict dead letter keeps its key held. */
  @Nested
  class Strict_dead_letters extends StrictCases {
    Strict_dead_letters() {
      super(OutboxStoreContract.this);
    }
  }

  /** Nothing passes a strict dead letter of its key. */
  @Nested
  class Order_of_strict_keys extends StrictOrderCases {
    Order_of_strict_keys() {
      super(OutboxStoreContract.this);
    }
  }

  /** Relays know of each other. */
  @Nested
  class Registry extends RegistryCases {
    Registry() {
      super(OutboxStoreContract.this);
    }
  }

  /** What is set per topic. */
  @Nested
  class Topics extends TopicCases {
    Topics() {
      super(OutboxStoreContract.this);
    }
  }

  /** How much there is. */
  @Nested
  class Snapshots extends SnapshotCases {
    Snapshots() {
      super(OutboxStoreContract.this);
    }
  }

  /** Delivered messages are kept where asked for. */
  @Nested
  class Archive extends ArchiveCases {
    Archive() {
      super(OutboxStoreContract.this);
    }
  }

  /** Workers lock the messages themselves. */
  @Nested
  class Claiming_rows extends RowClaimCases {
    Claiming_rows() {
      super(OutboxStoreContract.this);
    }
  }

  /** The end of a claim by rows commits with what the publisher wrote. */
  @Nested
  class Settling_rows extends RowSettleCases {
    Settling_rows() {
      super(OutboxStoreContract.this);
    }
  }

  /** Workers leave held topics alone. */
  @Nested
  class Holding_topics_by_rows extends RowHoldCases {
    Holding_topics_by_rows() {
      super(OutboxStoreContract.this);
    }
  }

  /** One cluster among several. */
  @Nested
  class Among_clusters extends ClusterCases {
    Among_clusters() {
      super(OutboxStoreContract.this);
    }
  }

  /** Many writers, several relays, each message once. */
  @Nested
  class Under_load extends LoadCases {
    Under_load() {
      super(OutboxStoreContract.this);
    }
  }
}
