package dev.outbox.jdbc.sql;

/** Relays, topics, counts and what a database reports of itself: registry.sql. */
public enum RegistryStatement implements Statement {
  /** Writes that {@code :relay} lives for {@code :lifetime}, and whether it is {@code :sharing}. */
  BEAT(Kind.TEXT),

  /** Relay, sharing and started_at of live relays. */
  LIVE_RELAYS(Kind.TEXT),
  LEAVE(Kind.TEXT),

  /** Deletes relays that have been gone for a day. */
  FORGET_RELAYS(Kind.TEXT),

  /** Topic, paused, strict, rate_limit, in_flight_cap of every topic. */
  TOPICS(Kind.TEXT),

  /** Locks the row of {@code :topic}; returns as {@link #TOPICS}. */
  LOCK_TOPIC(Kind.TEXT),
  INSERT_TOPIC(Kind.TEXT),
  UPDATE_TOPIC(Kind.TEXT),

  /**
   * How many {@code messages} of each {@code topic} are {@code what}: ready, parked, delayed or
   * dead. Counts no further than {@code :bound} in each table.
   */
  COUNTS(Kind.TEXT),

  /** Lane, floor and, while its lease runs, owner of every lane. */
  LANE_STATES(Kind.TEXT),

  /**
   * Of each lane the microseconds since its first message above {@code after} was written, {@code
   * ready_age}, and since its first parked one fell due, {@code due_age}; null without.
   */
  AGES(Kind.LANES),
  WRITERS(Kind.WRITERS),

  /** The one row: schema_version, lanes, claiming, clusters, cluster_id. */
  LAYOUT(Kind.TEXT),
  LIMITS(Kind.LIMITS),

  /** Selects {@code {now}} as {@code now}. */
  NOW(Kind.TEXT);

  private final Kind kind;

  RegistryStatement(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String file() {
    return "registry";
  }
}
