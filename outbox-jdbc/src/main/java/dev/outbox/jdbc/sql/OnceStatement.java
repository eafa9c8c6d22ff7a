package dev.outbox.jdbc.sql;

/** How receipts and dedupe keys are written once: once.sql. */
public enum OnceStatement implements Statement {
  /** Locked before receipts are written. */
  RECEIPT_SLOTS(Kind.SLOTS),

  /** Writes receipts: consumer, message_id, and {@code :keep}, for how long. */
  INSERT_RECEIPTS(Kind.ONCE),

  /** Deletes at most {@code :limit} receipts whose retention is over. */
  PURGE_RECEIPTS(Kind.PURGE),

  /** Locked before keys are taken. */
  DEDUPE_SLOTS(Kind.SLOTS),

  /** Takes keys: topic, dedupe_key, message_id, and {@code :keep}, for how long. */
  INSERT_KEYS(Kind.ONCE),

  /**
   * The {@code message_id} of a key, and {@code expired}: 1 or 0, whether it was to be kept no
   * longer. Sees what is committed, whatever the caller's isolation, where {@link #DEDUPE_SLOTS}
   * are locked.
   */
  TAKEN_KEY(Kind.TEXT),

  /** Takes a key again that was to be kept no longer. */
  RETAKE_KEY(Kind.TEXT),

  /** Deletes at most {@code :limit} keys whose retention is over. */
  PURGE_KEYS(Kind.PURGE);

  private final Kind kind;

  OnceStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "once";
  }
}
