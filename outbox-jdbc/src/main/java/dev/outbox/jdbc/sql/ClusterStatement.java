package dev.outbox.jdbc.sql;

/** What clusters ask of their tables: cluster.sql. */
public enum ClusterStatement implements Statement {
  /** Cluster_id, number, standing, since, seen, beaten_at, lanes, clusters of all beats. */
  BEATS(Kind.TEXT),

  /** Standing of this cluster, the last beat last. */
  STANDING(Kind.TEXT),

  /** Its own row for each beat: whether the one before is there or not, it arrives. */
  INSERT_BEAT(Kind.TEXT),
  DELETE_BEATS(Kind.TEXT),

  /** Locks all lanes; {@code leased} is 1 while one's lease runs. */
  LOCK_LANES(Kind.TEXT),

  /** Takes all lanes from relays that are gone: what wakes of them is fenced. */
  FREE_LANES(Kind.TEXT),

  /**
   * Ids of messages of {@code :lane} that no cluster is known to have taken over, and that are
   * behind no dead letter that holds their key, in order; of delayed ones those that are due. At
   * most {@code :limit}.
   */
  TO_TAKE(Kind.BY_SOURCE),

  /** The highest id of {@code :lane}; of delayed ones, of those that are due. */
  LAST(Kind.BY_SOURCE),

  /**
   * Notes what {@link #TO_TAKE} tells up to {@code :upTo} as taken by this cluster, with {@code
   * :batch}.
   */
  NOTE(Kind.BY_SOURCE),

  /** As {@link #NOTE}, of the message {@code :id}. */
  NOTE_ONE(Kind.BY_SOURCE),

  /** The highest {@code batch} of this cluster's notes. */
  LAST_BATCH(Kind.TEXT),

  /** Lane, id and message_id of what was noted with {@code :batch}. */
  OF_BATCH(Kind.TEXT),

  /** Appends what was noted with {@code :batch} to the lane that is {@code :shift} further. */
  TAKE(Kind.BY_SOURCE);

  private final Kind kind;

  ClusterStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "cluster";
  }
}
