package dev.outbox.tck.store.claim;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** How a store gives messages to the owners of lanes, and what it writes of them. */
public abstract class ClaimContract {
  private final Opener opener;

  protected ClaimContract(Opener opener) {
    this.opener = opener;
  }

  /** A lane has one owner at a time. */
  @Nested
  class Claiming_lanes extends LaneClaimCases {
    Claiming_lanes() {
      super(ClaimContract.this.opener);
    }
  }

  /** A lease runs for its length. */
  @Nested
  class Leasing_lanes extends LeaseCases {
    Leasing_lanes() {
      super(ClaimContract.this.opener);
    }
  }

  /** A claim whose answer was lost was perhaps written. */
  @Nested
  class Losing_claims extends LostClaimCases {
    Losing_claims() {
      super(ClaimContract.this.opener);
    }
  }

  /** A lane remembers what killed its owners. */
  @Nested
  class Suspecting extends SuspectCases {
    Suspecting() {
      super(ClaimContract.this.opener);
    }
  }

  /** A session can be cut. */
  @Nested
  class Aborting extends AbortCases {
    Aborting() {
      super(ClaimContract.this.opener);
    }
  }

  /** Ready messages are read in order. */
  @Nested
  class Reading extends ReadCases {
    Reading() {
      super(ClaimContract.this.opener);
    }
  }

  /** A read is bounded in bytes. */
  @Nested
  class Bounding_reads extends ByteCases {
    Bounding_reads() {
      super(ClaimContract.this.opener);
    }
  }

  /** A idle relay looks before it reads. */
  @Nested
  class Looking extends LookCases {
    Looking() {
      super(ClaimContract.this.opener);
    }
  }

  /** The end of a claim is written once, for all its lanes. */
  @Nested
  class Settling extends SettleCases {
    Settling() {
      super(ClaimContract.this.opener);
    }
  }

  /** A relay that lost its lane changes nothing any more. */
  @Nested
  class Fencing extends FencingCases {
    Fencing() {
      super(ClaimContract.this.opener);
    }
  }

  /** A strict dead letter keeps its key held. */
  @Nested
  class Strict_dead_letters extends StrictCases {
    Strict_dead_letters() {
      super(ClaimContract.this.opener);
    }
  }

  /** Nothing passes a strict dead letter of its key. */
  @Nested
  class Order_of_strict_keys extends StrictOrderCases {
    Order_of_strict_keys() {
      super(ClaimContract.this.opener);
    }
  }
}
