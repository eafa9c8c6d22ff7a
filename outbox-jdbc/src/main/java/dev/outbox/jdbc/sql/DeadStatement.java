package dev.outbox.jdbc.sql;

/**
 * What operators ask for: dead letters are searched, replayed and deleted, the archive is purged
 * and published again, single messages are found and cancelled: dead.sql.
 */
public enum DeadStatement implements Statement {
  /**
   * Dead letters of {@code :msg_key}, {@code :reason}, dead for {@code :older}, with {@code :error}
   * in their last error and a number up to {@code :up_to}, where these are not null: a message's
   * columns and dead_id, reason, last_error, attempts, history, died_at, holds.
   */
  DEAD(Kind.DEAD),

  /** As {@link #DEAD}, of {@code :topic}; without {@code :msg_key}. */
  DEAD_OF_TOPIC(Kind.DEAD),

  /** As {@link #DEAD}, of {@code :topic} and {@code :msg_key}. */
  DEAD_OF_KEY(Kind.DEAD),

  /** The highest {@code :limit} numbers of dead letters. */
  LAST_DEAD(Kind.TEXT),

  /**
   * Dead_id, lane, id, topic, msg_key of those dead letters, named by id (their number) and
   * message_id, that hold their key.
   */
  HOLDERS(Kind.KEYS),

  /** Appends dead letters to the ready table with fresh ids, in order of their number. */
  REPLAY(Kind.BY_IDS),

  /** Puts dead letters that hold their key back into the parked table, with their ids, due now. */
  REPLAY_HOLDERS(Kind.BY_IDS),
  DELETE_DEAD(Kind.BY_IDS),

  /**
   * Deletes at most {@code :limit} dead letters older than {@code :retention} that hold nothing.
   */
  PURGE_DEAD(Kind.TEXT),

  /**
   * When the last of the oldest {@code :limit} archived messages was completed, as {@code up_to},
   * of those that are older than {@code :retention} and were not completed before {@code :from};
   * null when there are none.
   */
  OLD_ARCHIVE(Kind.TEXT),

  /**
   * Deletes at most {@code :limit} archived messages that were completed from {@code :from} up to
   * {@code :up_to}, the oldest first.
   */
  PURGE_ARCHIVE(Kind.TEXT),

  /** A message's columns, of the ready ones with {@code :message_id}. */
  FIND_READY(Kind.TEXT),

  /** The same of the parked ones, and reason, attempts, due_at, last_error. */
  FIND_PARKED(Kind.TEXT),

  /** The same of the delayed ones, and due_at. */
  FIND_DELAYED(Kind.TEXT),

  /**
   * The same of those that died from {@code :from} until before {@code :to}, and dead_id, reason,
   * attempts, died_at, last_error.
   */
  FIND_DEAD(Kind.TEXT),

  /** The same of those that were completed in that time, and completed_at. */
  FIND_ARCHIVED(Kind.TEXT),

  /**
   * Message_id, topic, msg_key, attempts, due_at and last_error of parked messages that are tried
   * again at a time, of {@code :only} unless it is null, at most {@code limit} a lane, by due time.
   */
  RETRYING(Kind.LANES),

  /** Deletes the delayed message {@code :id} if it is still that of {@code :message_id}. */
  CANCEL(Kind.TEXT),

  /**
   * When the last of the next {@code :limit} archived messages was completed, as {@code up_to}, of
   * those of {@code :topic} that were completed after {@code :after} and before {@code :to}, in the
   * lanes from {@code :first} to {@code :last}; null when there are none.
   */
  NEXT_ARCHIVED(Kind.TEXT),

  /** Appends those that were completed up to {@code :up_to} to the ready table. */
  PUBLISH_AGAIN(Kind.TEXT);

  private final Kind kind;

  DeadStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "dead";
  }
}
