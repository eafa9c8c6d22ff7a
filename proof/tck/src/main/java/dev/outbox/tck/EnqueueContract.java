package dev.outbox.tck;

import dev.outbox.tck.enqueue.BadInputCases;
import dev.outbox.tck.enqueue.JoiningCases;
import dev.outbox.tck.enqueue.OnceCases;
import dev.outbox.tck.enqueue.OnceWaitingCases;
import dev.outbox.tck.enqueue.WakingCases;
import dev.outbox.tck.enqueue.WritingCases;
import org.junit.jupiter.api.Nested;

/**
 * What {@link dev.outbox.Outbox} promises to writers, proven over a store: what it writes, what it
 * refuses, and that a refusal leaves nothing behind. Extend it, say how to open an empty store, and
 * run it as a JUnit test.
 */
public abstract class EnqueueContract {
  /** For subclasses. */
  protected EnqueueContract() {}

  /** Opens an empty store laid out as {@code setting} says. The case closes it. */
  protected abstract StoreEnvironment open(StoreSetting setting) throws Exception;

  /** What is enqueued arrives as it was given. */
  @Nested
  class Writing extends WritingCases {
    Writing() {
      super(EnqueueContract.this::open);
    }
  }

  /** A message with a key is enqueued once. */
  @Nested
  class Enqueuing_once extends OnceCases {
    Enqueuing_once() {
      super(EnqueueContract.this::open);
    }
  }

  /** The same where the tables are claimed by rows. */
  @Nested
  class Enqueuing_once_by_rows extends OnceCases.OverRows {
    Enqueuing_once_by_rows() {
      super(EnqueueContract.this::open);
    }
  }

  /** Who enqueues a key that another transaction has taken waits for its end. */
  @Nested
  class Enqueuing_once_at_once extends OnceWaitingCases {
    Enqueuing_once_at_once() {
      super(EnqueueContract.this::open);
    }
  }

  /** The outbox takes part in transactions that others run. */
  @Nested
  class Joining extends JoiningCases {
    Joining() {
      super(EnqueueContract.this::open);
    }
  }

  /** Relays hear which lanes have news, and when. */
  @Nested
  class Waking extends WakingCases {
    Waking() {
      super(EnqueueContract.this::open);
    }
  }

  /** What is refused leaves nothing behind. */
  @Nested
  class Refusing extends BadInputCases {
    Refusing() {
      super(EnqueueContract.this::open);
    }
  }

  /** Keys are refused where they cannot be kept in order. */
  @Nested
  class Refusing_keys extends BadInputCases.OverRows {
    Refusing_keys() {
      super(EnqueueContract.this::open);
    }
  }
}
