package dev.outbox.tck.store.append;

import dev.outbox.tck.fixture.Opener;
import org.junit.jupiter.api.Nested;

/** What a store does with messages that applications write. */
public abstract class AppendContract {
  private final Opener opener;

  protected AppendContract(Opener opener) {
    this.opener = opener;
  }

  /** What a store reports of itself. */
  @Nested
  class Opening extends OpeningCases {
    Opening() {
      super(AppendContract.this.opener);
    }
  }

  /** Messages are written in the caller's transaction. */
  @Nested
  class Appending extends AppendingCases {
    Appending() {
      super(AppendContract.this.opener);
    }
  }

  /** Applications come with sessions of every kind. */
  @Nested
  class Callers extends CallerCases {
    Callers() {
      super(AppendContract.this.opener);
    }
  }

  /** What was enqueued comes back as it was. */
  @Nested
  class Keeping extends KeepingCases {
    Keeping() {
      super(AppendContract.this.opener);
    }
  }

  /** Every writer finds the same lane for a key. */
  @Nested
  class Lane_hashing extends LaneHashCases {
    Lane_hashing() {
      super(AppendContract.this.opener);
    }
  }

  /** Ids are given again after a restore. */
  @Nested
  class Ids_that_go_back extends IdsGoBackCases {
    Ids_that_go_back() {
      super(AppendContract.this.opener);
    }
  }

  /** Who may still commit. */
  @Nested
  class Open_writers extends WriterCases {
    Open_writers() {
      super(AppendContract.this.opener);
    }
  }

  /** No id appears below a safe one. */
  @Nested
  class Safe_ids extends SafeIdCases {
    Safe_ids() {
      super(AppendContract.this.opener);
    }
  }

  /** What others have not committed makes no one wait. */
  @Nested
  class In_the_way extends UncommittedCases {
    In_the_way() {
      super(AppendContract.this.opener);
    }
  }

  /** A settle whose reply was lost can be repeated. */
  @Nested
  class Repeating extends RepeatCases {
    Repeating() {
      super(AppendContract.this.opener);
    }
  }

  /** What becomes of a message happens to no other that got its id. */
  @Nested
  class Ids_given_again extends IdGivenAgainCases {
    Ids_given_again() {
      super(AppendContract.this.opener);
    }
  }

  /** Keys are compared exactly. */
  @Nested
  class Telling_keys_apart extends SimilarKeyCases {
    Telling_keys_apart() {
      super(AppendContract.this.opener);
    }
  }
}
