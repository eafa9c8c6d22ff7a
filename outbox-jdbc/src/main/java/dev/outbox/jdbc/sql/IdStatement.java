package dev.outbox.jdbc.sql;

/** What is asked of ids and epochs that may have gone back: ids.sql. */
public enum IdStatement implements Statement {
  NEXT_ID(Kind.NEXT_ID),

  /**
   * The highest id at or above {@code :next}, or one below it, as {@code highest}: of the ready and
   * parked messages, the newest {@code :most} dead letters and the floors, at little cost.
   */
  HIGHEST_ID(Kind.TEXT),

  /** As {@link #HIGHEST_ID}, of the archived messages. */
  HIGHEST_ARCHIVED(Kind.TEXT),

  /** Makes {@code {next}} the next id of {@code {table}} and its {@code {column}}. */
  RAISE_NEXT_ID(Kind.TEXT),

  /** The highest id of the delayed messages at or above {@code :next} as {@code highest}. */
  HIGHEST_DELAYED(Kind.TEXT),

  /** The highest number of the dead letters at or above {@code :next} as {@code highest}. */
  HIGHEST_DEAD(Kind.TEXT),

  /** The lanes whose suspect is a message that is ready or parked. */
  LANES_WITH_SUSPECTS(Kind.TEXT),
  FORGET_SUSPECT(Kind.TEXT),

  /** Held by a session that raises ids. */
  LOCK_RAISING(Kind.TEXT),

  /**
   * Raises every epoch to at least {@code {least}}, and forgets floors and suspects. The owner of a
   * lane is fenced, and no relay owns it before its lease is over.
   */
  RAISE_EPOCHS(Kind.TEXT);

  private final Kind kind;

  IdStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "ids";
  }
}
