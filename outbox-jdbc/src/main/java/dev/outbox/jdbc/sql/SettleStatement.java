package dev.outbox.jdbc.sql;

/** How the answers to messages are written down: settle.sql. */
public enum SettleStatement implements Statement {
  /**
   * Locks lanes that belong to {@code :owner} and their epoch, counts a settle, stores their floor,
   * forgets takeovers and suspect where keep is 0, and renews for {@code :lease} or, where free is
   * 1, releases the lane. Where due is 0 nothing but takeovers and suspect need be written.
   */
  FENCE(Kind.FENCE),

  /**
   * Makes {@code :id} the suspect of {@code :lane}, or counts it once more, if the lane belongs to
   * {@code :owner} and {@code :epoch} and the message of that id is still {@code :message_id}.
   */
  SUSPECT(Kind.TEXT),

  /**
   * Clears {@code :lane} of the suspect {@code :id}, if it belongs to {@code :owner} and {@code
   * :epoch}.
   */
  RESTORE_SUSPECT(Kind.TEXT),

  /** Locks {@code :lane} if it belongs to {@code :owner} and {@code :epoch}; returns its number. */
  HOLD_LANE(Kind.TEXT),

  /** Locks {@code :lane}, with any owner; returns its number. */
  LOCK_LANE(Kind.TEXT),
  DELETE_READY(Kind.BY_IDS),
  DELETE_PARKED(Kind.BY_IDS),

  /** As {@link #DELETE_PARKED}, whichever cluster parked it. */
  DELETE_ANY_PARKED(Kind.BY_IDS),
  ARCHIVE_READY(Kind.BY_IDS),
  ARCHIVE_PARKED(Kind.BY_IDS),

  /** Lane and id of archived messages, named by lane and id. */
  TAKEN_ARCHIVE(Kind.KEYS),

  /**
   * Lane and id of those ready messages, named by lane, id and message_id, that are behind a parked
   * message or a holding dead letter of their key.
   */
  BEHIND(Kind.KEYS),

  /**
   * Copies ready messages into the parked table with reason, attempts, rest, error, history, under
   * the id {@code parked_as} where that is told.
   */
  PARK_READY(Kind.BY_IDS),

  /** Lane and id of this cluster's parked messages, named by lane and id. */
  TAKEN_PARKED(Kind.KEYS),

  /** Writes reason, attempts, rest, error, history of parked messages; the first failure stays. */
  RESCHEDULE(Kind.BY_IDS),

  /** Copies ready messages into the dead letters with reason, attempts, error, history, holds. */
  BURY_READY(Kind.BY_IDS),
  BURY_PARKED(Kind.BY_IDS),

  /**
   * Of each key, named by n, lane, topic and msg_key, its {@code n}, the {@code id} of its first
   * parked message and as {@code hold} that of its first holding dead letter, null without.
   */
  HEADS(Kind.KEYS),

  /** Makes parked messages without a due time due now. */
  WAKE_HEADS(Kind.BY_IDS);

  private final Kind kind;

  SettleStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "settle";
  }
}
