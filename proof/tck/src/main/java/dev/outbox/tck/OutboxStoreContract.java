package dev.outbox.tck;

import dev.outbox.tck.store.append.AppendingCases;
import dev.outbox.tck.store.append.CallerCases;
import dev.outbox.tck.store.append.IdGivenAgainCases;
import dev.outbox.tck.store.append.IdsGoBackCases;
import dev.outbox.tck.store.append.KeepingCases;
import dev.outbox.tck.store.append.LaneHashCases;
import dev.outbox.tck.store.append.OpeningCases;
import dev.outbox.tck.store.append.RepeatCases;
import dev.outbox.tck.store.append.SafeIdCases;
import dev.outbox.tck.store.append.SimilarKeyCases;
import dev.outbox.tck.store.append.UncommittedCases;
import dev.outbox.tck.store.append.WriterCases;
import dev.outbox.tck.store.claim.AbortCases;
import dev.outbox.tck.store.claim.ByteCases;
import dev.outbox.tck.store.claim.FencingCases;
import dev.outbox.tck.store.claim.LaneClaimCases;
import dev.outbox.tck.store.claim.LookCases;
import dev.outbox.tck.store.claim.LostClaimCases;
import dev.outbox.tck.store.claim.ReadCases;
import dev.outbox.tck.store.claim.RowClaimCases;
import dev.outbox.tck.store.claim.RowHoldCases;
import dev.outbox.tck.store.claim.RowSettleCases;
import dev.outbox.tck.store.claim.SettleCases;
import dev.outbox.tck.store.claim.StrictCases;
import dev.outbox.tck.store.claim.StrictOrderCases;
import dev.outbox.tck.store.claim.SuspectCases;
import dev.outbox.tck.store.operate.ArchiveCases;
import dev.outbox.tck.store.operate.ClusterCases;
import dev.outbox.tck.store.operate.DeadFilterCases;
import dev.outbox.tck.store.operate.DeadLetterCases;
import dev.outbox.tck.store.operate.DelayedCases;
import dev.outbox.tck.store.operate.HeldTopicCases;
import dev.outbox.tck.store.operate.LoadCases;
import dev.outbox.tck.store.operate.ParkedCases;
import dev.outbox.tck.store.operate.RegistryCases;
import dev.outbox.tck.store.operate.SnapshotCases;
import dev.outbox.tck.store.operate.TopicCases;
import dev.outbox.tck.store.operate.TopicHoldCases;
import org.junit.jupiter.api.Nested;

/**
 * What every {@link dev.outbox.spi.OutboxStore} must do, proven with hostile cases and real
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
      super(OutboxStoreContract.this::open);
    }
  }

  /** Messages are written in the caller's transaction. */
  @Nested
  class Appending extends AppendingCases {
    Appending() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Applications come with sessions of every kind. */
  @Nested
  class Callers extends CallerCases {
    Callers() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** What was enqueued comes back as it was. */
  @Nested
  class Keeping extends KeepingCases {
    Keeping() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Every writer finds the same lane for a key. */
  @Nested
  class Lane_hashing extends LaneHashCases {
    Lane_hashing() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A lane has one owner at a time. */
  @Nested
  class Claiming_lanes extends LaneClaimCases {
    Claiming_lanes() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A claim whose answer was lost was perhaps written. */
  @Nested
  class Losing_claims extends LostClaimCases {
    Losing_claims() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A lane remembers what killed its owners. */
  @Nested
  class Suspecting extends SuspectCases {
    Suspecting() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Ids are given again after a restore. */
  @Nested
  class Ids_that_go_back extends IdsGoBackCases {
    Ids_that_go_back() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A session can be cut. */
  @Nested
  class Aborting extends AbortCases {
    Aborting() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Ready messages are read in order. */
  @Nested
  class Reading extends ReadCases {
    Reading() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A read is bounded in bytes. */
  @Nested
  class Bounding_reads extends ByteCases {
    Bounding_reads() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A resting relay looks before it reads. */
  @Nested
  class Looking extends LookCases {
    Looking() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Who may still commit. */
  @Nested
  class Open_writers extends WriterCases {
    Open_writers() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** No id appears below a safe one. */
  @Nested
  class Safe_ids extends SafeIdCases {
    Safe_ids() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** The end of a claim is written once, for all its lanes. */
  @Nested
  class Settling extends SettleCases {
    Settling() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** What others have not committed makes nobody wait. */
  @Nested
  class In_the_way extends UncommittedCases {
    In_the_way() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A relay that lost its lane changes nothing any more. */
  @Nested
  class Fencing extends FencingCases {
    Fencing() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A settle whose reply was lost can be repeated. */
  @Nested
  class Repeating extends RepeatCases {
    Repeating() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** What becomes of a message happens to no other that got its id. */
  @Nested
  class Ids_given_again extends IdGivenAgainCases {
    Ids_given_again() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A failed message holds back the rest of its key. */
  @Nested
  class Parking extends ParkedCases {
    Parking() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A paused topic waits for its release. */
  @Nested
  class Holding_topics extends TopicHoldCases {
    Holding_topics() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Held topics are left out of what is due. */
  @Nested
  class Leaving_topics_out extends HeldTopicCases {
    Leaving_topics_out() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Keys are compared exactly. */
  @Nested
  class Telling_keys_apart extends SimilarKeyCases {
    Telling_keys_apart() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A delayed message is never early. */
  @Nested
  class Delaying extends DelayedCases {
    Delaying() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Dead letters wait for an operator. */
  @Nested
  class Dead_letters extends DeadLetterCases {
    Dead_letters() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** An operator asks for those that matter. */
  @Nested
  class Finding_dead_letters extends DeadFilterCases {
    Finding_dead_letters() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** A strict dead letter keeps its key held. */
  @Nested
  class Strict_dead_letters extends StrictCases {
    Strict_dead_letters() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Nothing passes a strict dead letter of its key. */
  @Nested
  class Order_of_strict_keys extends StrictOrderCases {
    Order_of_strict_keys() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Relays know of each other. */
  @Nested
  class Registry extends RegistryCases {
    Registry() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** What is set per topic. */
  @Nested
  class Topics extends TopicCases {
    Topics() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** How much there is. */
  @Nested
  class Snapshots extends SnapshotCases {
    Snapshots() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Delivered messages are kept where asked for. */
  @Nested
  class Archive extends ArchiveCases {
    Archive() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Workers lock the messages themselves. */
  @Nested
  class Claiming_rows extends RowClaimCases {
    Claiming_rows() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** The end of a claim by rows commits with what the publisher wrote. */
  @Nested
  class Settling_rows extends RowSettleCases {
    Settling_rows() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Workers leave held topics alone. */
  @Nested
  class Holding_topics_by_rows extends RowHoldCases {
    Holding_topics_by_rows() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** One cluster among several. */
  @Nested
  class Among_clusters extends ClusterCases {
    Among_clusters() {
      super(OutboxStoreContract.this::open);
    }
  }

  /** Many writers, several relays, each message once. */
  @Nested
  class Under_load extends LoadCases {
    Under_load() {
      super(OutboxStoreContract.this::open);
    }
  }
}
