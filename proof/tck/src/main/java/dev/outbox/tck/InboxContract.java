package dev.outbox.tck;

import dev.outbox.tck.inbox.AgeCases;
import dev.outbox.tck.inbox.ManyCases;
import dev.outbox.tck.inbox.ReceivingCases;
import dev.outbox.tck.inbox.WaitingCases;
import org.junit.jupiter.api.Nested;

/**
 * What {@link dev.outbox.Inbox} promises to consumers, proven over a {@link
 * dev.outbox.spi.ReceiptStore} with real threads. Extend it, say how to open empty receipts, and
 * run it as a JUnit test.
 */
public abstract class InboxContract {
  /** For subclasses. */
  protected InboxContract() {}

  /** Opens empty receipts. The case closes them. */
  protected abstract InboxEnvironment open() throws Exception;

  /** The work of a message is done once. */
  @Nested
  class Receiving extends ReceivingCases {
    Receiving() {
      super(InboxContract.this::open);
    }
  }

  /** Who comes while another works waits for its end. */
  @Nested
  class Receiving_at_once extends WaitingCases {
    Receiving_at_once() {
      super(InboxContract.this::open);
    }
  }

  /** Several messages are received in one go. */
  @Nested
  class Receiving_many extends ManyCases {
    Receiving_many() {
      super(InboxContract.this::open);
    }
  }

  /** Receipts are not kept for ever, and the inbox knows it. */
  @Nested
  class Growing_old extends AgeCases {
    Growing_old() {
      super(InboxContract.this::open);
    }
  }
}
