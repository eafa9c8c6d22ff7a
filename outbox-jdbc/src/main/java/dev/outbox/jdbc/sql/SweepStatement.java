package dev.outbox.jdbc.sql;

/** What clusters ask of their tables to clear up behind takeovers: sweep.sql. */
public enum SweepStatement implements Statement {
  /** Whether there are notes at all. */
  ANY_NOTE(Kind.TEXT),

  /**
   * Lane, id and {@code hit} of messages of the lanes {@code :low} to {@code :high} with ids above
   * {@code :after}, in order; a hit (not 0) was taken over and is there all the same.
   */
  GHOSTS(Kind.BY_SOURCE),

  /**
   * Lane, id, due_at and {@code hit} of delayed messages of {@code :lane} that are due, behind the
   * one with {@code :after} that was due at {@code :at}, in order. No others are taken over.
   */
  DELAYED_GHOSTS(Kind.TEXT),

  /**
   * Lane, id, message_id and {@code hit} of parked messages of the lanes {@code :low} to {@code
   * :high} with ids above {@code :after}, in order; a hit (1) is a follower that has become the
   * first of its key without being marked as such.
   */
  FOLLOWERS(Kind.TEXT),
  WAKE(Kind.TEXT),

  /** The {@code batch} of each of this cluster's notes below {@code :batch}, in order. */
  OLD_NOTES(Kind.TEXT),

  /** Forgets what was noted with batches up to {@code :batch} before {@code :before}. */
  DROP_NOTES(Kind.TEXT);

  private final Kind kind;

  SweepStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "sweep";
  }
}
