package dev.outbox.jdbc.sql;

/** How parked and delayed messages are found and moved: due.sql. */
public enum DueStatement implements Statement {
  /**
   * Due parked messages that are the first of their key or have none, and are behind no holding
   * dead letter, of no topic in {@code :held}, at most {@code limit} a lane, by due time. Weight
   * and {@code :inline} as in {@link LaneStatement#READY}, the history counted too.
   */
  DUE_HEADS(Kind.LANES),

  /**
   * Parked messages behind others of their key, named by lane, topic, msg_key, id and limit, up to
   * a holding dead letter, in order of id; the rest as in {@link #DUE_HEADS}.
   */
  FOLLOWERS(Kind.KEYS),

  /**
   * Lane, id, payload, headers and history of parked messages, named as in {@link
   * LaneStatement#READY_BODIES}.
   */
  DUE_BODIES(Kind.KEYS),

  /**
   * Lane and id of parked messages that wait for their topic, which is none in {@code :held}, at
   * most {@code limit} a lane, in order of id.
   */
  RELEASABLE(Kind.LANES),

  /**
   * Lane, id and due_at of delayed messages that are due, at most {@code limit} a lane, by due time
   * and id.
   */
  DUE_DELAYED(Kind.LANES),

  /** Appends delayed messages to the ready table with fresh ids, in order of due time and id. */
  PROMOTE(Kind.BY_IDS),
  DELETE_DELAYED(Kind.BY_IDS),

  /** Locks up to {@code :limit} of {@link #RELEASABLE}, in order of id. Returns lane, id. */
  CLAIM_RELEASABLE(Kind.LOCK),

  /** Locks up to {@code :limit} delayed messages that are due. Returns lane, id, due_at. */
  CLAIM_DELAYED(Kind.LOCK);

  private final Kind kind;

  DueStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "due";
  }
}
