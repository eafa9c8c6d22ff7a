package dev.outbox.tck.store.row;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** How a store gives messages to workers that lock them, and what it writes of them. */
public abstract class RowContract {
  private final Opener opener;

  protected RowContract(Opener opener) {
    this.opener = opener;
  }

  /** Workers lock the messages themselves. */
  @Nested
  class Claiming_rows extends RowClaimCases {
    Claiming_rows() {
      super(RowContract.this.opener);
    }
  }

  /** The end of a claim by rows is written once. */
  @Nested
  class Settling_rows extends RowSettleCases {
    Settling_rows() {
      super(RowContract.this.opener);
    }
  }

  /** It commits with what the publisher wrote. */
  @Nested
  class Writing_in_a_claim extends RowWriteCases {
    Writing_in_a_claim() {
      super(RowContract.this.opener);
    }
  }

  /** Workers leave held topics alone. */
  @Nested
  class Holding_topics_by_rows extends RowHoldCases {
    Holding_topics_by_rows() {
      super(RowContract.this.opener);
    }
  }

  /** Several of them get each message once. */
  @Nested
  class Many_workers extends ManyWorkersCases {
    Many_workers() {
      super(RowContract.this.opener);
    }
  }
}
