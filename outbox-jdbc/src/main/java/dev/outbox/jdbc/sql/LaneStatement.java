package dev.outbox.jdbc.sql;

/** How lanes are claimed, looked at and read: lanes.sql. */
public enum LaneStatement implements Statement {
  /**
   * Locks up to {@code :limit} lanes from {@code :first} to {@code :last} that are free, expired,
   * or leased further ahead than twice the length of their lease, in order of lane, skipping locked
   * ones. Returns lane, epoch, floor, suspect_id, suspect_count, and {@code takeovers}: the value
   * to store if the lane is leased.
   */
  FREE_LANES(Kind.LOCK),

  /**
   * As {@link #FREE_LANES}, the lanes of {@code :owner}; binds {@code :limit}. A lease makes no
   * takeover of them.
   */
  OWN_LANES(Kind.LOCK),

  /** The lanes of {@code :owner}, locked by others or not. */
  LANES_OF_OWNER(Kind.TEXT),

  /**
   * Gives lane {@code :lane}, locked with {@code :epoch}, to {@code :owner} for {@code :lease},
   * whose length it notes, raising the epoch and writing {@code :takeovers}.
   */
  LEASE_LANE(Kind.TEXT),

  /** Lane, topic, msg_key of parked messages with a key and of dead letters that hold theirs. */
  HELD_KEYS(Kind.LANES),

  /**
   * Of each lane its number and 1 or 0 for what there is: {@code ready} above {@code after}, {@code
   * due} as {@link DueStatement#DUE_HEADS}, {@code later} for a delayed one that is due; and a row
   * of lane -1 with the number of lanes that are free, as in {@link #FREE_LANES}, as its {@code
   * ready}.
   */
  LOOK(Kind.LANES),

  /**
   * Ready messages of lanes above their {@code after}, at most their {@code limit}, in order of
   * lane and id, with the {@code bytes} of their payload and their {@code weight}: those of payload
   * and headers, which are null where they weigh more than {@code :inline}.
   */
  READY(Kind.LANES),

  /**
   * As {@link #READY}, but none whose topic is in {@code :held}, and only ids up to {@code :reach}
   * above the lane's {@code after}.
   */
  READY_PAST(Kind.LANES),

  /** Lane, id, payload and headers of ready messages, named by lane, id and message_id. */
  READY_BODIES(Kind.KEYS),

  /**
   * The highest id of the ready messages above {@code :above} as {@code newest}; null where there
   * is none, or where it is not quickly found.
   */
  NEWEST(Kind.TEXT);

  private final Kind kind;

  LaneStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "lanes";
  }
}
