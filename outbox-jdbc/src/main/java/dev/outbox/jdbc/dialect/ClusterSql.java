package dev.outbox.jdbc.dialect;

/**
 * What clusters ask of their tables. Plain enough to be the same text on every database, so it
 * stands here once; names, clock and values are written as in a {@link Dialect}.
 */
public final class ClusterSql {
  private static final String COLUMNS =
      """
      message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin, not_after, created_at
      """;

  private ClusterSql() {}

  /** Cluster_id, number, standing, since, seen, beaten_at of all beats. */
  public static String beats() {
    return """
        SELECT cluster_id, beat, standing, since_beat, seen, beaten_at
        FROM {beat}
        """;
  }

  /** Standing of this cluster, the last beat last. */
  public static String standing() {
    return """
        SELECT standing
        FROM {beat}
        WHERE cluster_id = {cluster}
        ORDER BY beat
        """;
  }

  /** A row of its own for each beat: whether the one before is there or not, it arrives. */
  public static String insertBeat() {
    return """
        INSERT INTO {beat} (cluster_id, beat, standing, since_beat, seen, beaten_at)
        VALUES ({cluster}, :beat, :standing, :since, :seen, :at)
        """;
  }

  public static String deleteBeats() {
    return """
        DELETE FROM {beat}
        WHERE cluster_id = {cluster}
          AND beat < :beat
        """;
  }

  /** Locks all lanes; {@code leased} is 1 while one's lease runs. */
  public static String lockLanes() {
    return """
        SELECT lane, CASE WHEN owner IS NOT NULL AND lease_until > {now} THEN 1 ELSE 0 END AS leased
        FROM {lane}
        ORDER BY lane
        FOR UPDATE
        """;
  }

  /** Takes all lanes from relays that are gone: what wakes of them is fenced. */
  public static String freeLanes() {
    return """
        UPDATE {lane}
        SET owner = NULL, lease_until = NULL
        WHERE owner IS NOT NULL
        """;
  }

  /**
   * Ids of parked messages of {@code :lane} that nobody is known to have taken over, and that stand
   * behind no dead letter that holds their key, in order.
   */
  public static String parkedToTake() {
    return """
        SELECT o.id
        FROM {parked} o
        WHERE o.lane = :lane
          AND NOT EXISTS (
            SELECT 1
            FROM {takeover} t
            WHERE t.lane = o.lane
              AND t.id = o.id
              AND t.later = 0)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND d.msg_key = o.msg_key
              AND d.id < o.id)
        ORDER BY o.id
        """;
  }

  /** As {@link #parkedToTake}, of ready messages. */
  public static String readyToTake() {
    return parkedToTake().replace("{parked}", "{outbox}");
  }

  /** As {@link #parkedToTake}, of delayed messages that are due, by due time. */
  public static String delayedToTake() {
    return """
        SELECT o.id
        FROM {delayed} o
        WHERE o.lane = :lane
          AND o.due_at <= {now}
          AND NOT EXISTS (
            SELECT 1
            FROM {takeover} t
            WHERE t.lane = o.lane
              AND t.id = o.id
              AND t.later = 1)
        ORDER BY o.due_at, o.id
        """;
  }

  /**
   * Appends the message {@code :id} of {@code table} to the lane that is {@code :shift} further.
   */
  public static String take(String table) {
    return """
        INSERT INTO {outbox} (lane, %1$s)
        SELECT lane + :shift, %1$s
        FROM {%2$s}
        WHERE lane = :lane
          AND id = :id
        """
        .formatted(COLUMNS.strip(), table);
  }

  /** Notes that it was taken; {@code :later} is 1 for one of the delayed table. */
  public static String note() {
    return """
        INSERT INTO {takeover} (lane, id, later, cluster_id, taken_at)
        VALUES (:lane, :id, :later, {cluster}, {now})
        """;
  }

  public static String drop(String table) {
    return """
        DELETE FROM {%s}
        WHERE lane = :lane
          AND id = :id
        """
        .formatted(table);
  }

  /** Lane and id of messages of {@code table} that were taken over and are there all the same. */
  public static String ghosts(String table, int delayed) {
    return """
        SELECT DISTINCT o.lane, o.id
        FROM {takeover} t
        JOIN {%s} o
          ON o.lane = t.lane AND o.id = t.id
        WHERE t.later = %d
        """
        .formatted(table, delayed);
  }

  /**
   * Lane and id of this cluster's followers that have become the first of their key without anybody
   * telling them.
   */
  public static String lostFollowers() {
    return """
        SELECT p.lane, p.id
        FROM {parked} p
        WHERE p.cluster_id = {cluster}
          AND p.due_at IS NULL
          AND p.reason = 'FOLLOWER'
          AND NOT EXISTS (
            SELECT 1
            FROM {parked} e
            WHERE e.lane = p.lane
              AND e.topic = p.topic
              AND e.msg_key = p.msg_key
              AND e.id < p.id)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d
            WHERE d.lane = p.lane
              AND d.holds = 1
              AND d.topic = p.topic
              AND d.msg_key = p.msg_key
              AND d.id < p.id)
        """;
  }

  public static String wake() {
    return """
        UPDATE {parked}
        SET due_at = {now}
        WHERE lane = :lane
          AND id = :id
          AND due_at IS NULL
        """;
  }

  /** Lane, id, later of notes of this cluster's that are older than {@code :before}. */
  public static String oldNotes() {
    return """
        SELECT lane, id, later
        FROM {takeover}
        WHERE cluster_id = {cluster}
          AND taken_at < :before
        """;
  }

  public static String dropNote() {
    return """
        DELETE FROM {takeover}
        WHERE lane = :lane
          AND id = :id
          AND later = :later
          AND cluster_id = {cluster}
        """;
  }
}
