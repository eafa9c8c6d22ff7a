package dev.outbox.testkit.history;

/** What a {@link Note} is about. */
public enum NoteKind {
  /** A writer has written a message; its transaction is open. */
  ENQUEUED,
  /** The transaction that wrote the message has committed. */
  COMMITTED,
  /** The transaction that wrote the message is gone without a commit. */
  ROLLED_BACK,
  /** A relay took a lane. */
  LEASED,
  /** A relay heard that a lane is its own for another length of the lease. */
  RENEWED,
  /** A relay released a lane. */
  RELEASED,
  /**
   * A relay handed a message to its publisher; the text names the flight, and ends with {@code
   * pipelined} where the publisher takes several of a key at a time.
   */
  ABOARD,
  /**
   * The broker begins to receive a message: it may have it, and has it once that has {@link
   * #ARRIVED}. Of a key it receives one after the other. Noted for each arrival or for none.
   */
  ARRIVING,
  /** The broker has the message. */
  ARRIVED,
  /** The publisher answered for a message; the text is the answer. */
  ANSWERED,
  /** A relay wrote the fate of a message and heard that it was stored; the text is the fate. */
  SETTLED,
  /** A relay heard that a lane is another's. */
  FENCED,
  /**
   * Something was done to a relay, or to a broker's answer about one message, after which what is
   * in flight may be published again; the text says what.
   */
  FAULT,
  /** A fault that excuses nothing: whatever it hits must not be published again for it. */
  NUISANCE,
  /** The store stood then as it will again, if it goes back. */
  REMEMBERED,
  /**
   * The store is again as it was when that was last {@link #REMEMBERED}: what was committed since
   * never happened, and what was settled since may be published again.
   */
  WENT_BACK,
  /** A relay has closed. */
  CLOSED
}
