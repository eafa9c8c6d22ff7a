package dev.outbox.jdbc.sql;

/** How messages are appended, claimed one by one and put back: rows.sql. */
public enum RowStatement implements Statement {
  /**
   * Binds lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
   * not_after.
   */
  APPEND(Kind.APPEND),

  /** As {@link #APPEND}, and due (an instant or null) or delay (microseconds or null). */
  APPEND_DELAYED(Kind.APPEND),

  /** Ready messages of no topic in {@code :held}. */
  CLAIM_READY(Kind.CLAIM),

  /** Parked messages that are due and of no topic in {@code :held}. */
  CLAIM_DUE(Kind.CLAIM),

  /** Writes a ready message from memory, with its id. */
  PUT_READY(Kind.TEXT),

  /**
   * Writes a parked message from memory, with its id; binds due (an instant) or rest, and
   * first_failed_at or null.
   */
  PUT_PARKED(Kind.TEXT),

  /** Writes a dead letter from memory. */
  PUT_DEAD(Kind.TEXT),

  /** Writes a delivered message from memory. */
  PUT_ARCHIVE(Kind.TEXT);

  private final Kind kind;

  RowStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "rows";
  }
}
