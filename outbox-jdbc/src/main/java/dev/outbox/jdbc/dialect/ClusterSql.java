package dev.outbox.jdbc.dialect;

/**
 * What clusters ask of their tables. Plain enough to be the same text on every database, so it
 * stands here once; names, clock and values are written as in a {@link Dialect}.
 */
public final class ClusterSql {
  private ClusterSql() {}

  /** Cluster_id, number, standing, since, seen, beaten_at, lanes, clusters of all beats. */
  public static String beats() {
    return """
        SELECT cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters
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
        INSERT INTO {beat} (cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters)
        VALUES ({cluster}, :beat, :standing, :since, :seen, :at, :lanes, :clusters)
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

  /** Where messages stand that can be taken over, in the order in which they are. */
  public enum Source {
    PARKED("{parked}", "0", "o.id", "o.id", "", "AND d.id < o.id"),
    READY("{outbox}", "0", "o.id", "o.id", "", "AND d.id < o.id"),
    /**
     * They are promoted to ids of their own: behind all that is dead. Of the due ones the highest
     * id is computed, or it would be looked for from the end of all lanes.
     */
    DELAYED("{delayed}", "1", "o.id + 0", "o.due_at, o.id", "AND o.due_at <= {now}", "");

    private final String table;
    private final String later;
    private final String id;
    private final String order;
    private final String only;
    private final String before;

    Source(String table, String later, String id, String order, String only, String before) {
      this.table = table;
      this.later = later;
      this.id = id;
      this.order = order;
      this.only = only;
      this.before = before;
    }

    /** True for those whose ids are of their own. */
    public boolean isDelayed() {
      return this == DELAYED;
    }

    String fill(String text) {
      return text.replace("{source}", table)
          .replace("{later}", later)
          .replace("{id}", id)
          .replace("{order}", order)
          .replace("{only}", only)
          .replace("{before}", before);
    }
  }

  /**
   * Ids of messages of {@code :lane} that nobody is known to have taken over, and that stand behind
   * no dead letter that holds their key, in order; of delayed ones those that are due. At most
   * {@code :limit}, which {@link Dialect#atMost} says.
   */
  public static String toTake(Source source, String atMost) {
    return source
        .fill(
            """
        SELECT o.id
        FROM {source} o
        WHERE o.lane = :lane
          {only}
          AND NOT EXISTS (
            SELECT 1
            FROM {takeover} t
            WHERE t.lane = o.lane
              AND t.id = o.id
              AND t.later = {later}
              AND t.message_id = o.message_id)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND d.msg_key = o.msg_key
              {before})
        ORDER BY {order}
        {limit}
        """)
        .replace("{limit}", atMost);
  }

  /** The highest id of {@code :lane}; of delayed ones, of those that are due. */
  public static String last(Source source) {
    return source.fill(
        """
        SELECT MAX({id}) AS id
        FROM {source} o
        WHERE o.lane = :lane
          {only}
        """);
  }

  /**
   * Notes what {@link #toTake} tells up to {@code :upTo} as taken by this cluster, with {@code
   * :batch}.
   */
  public static String note(Source source, String atMost) {
    return source
        .fill(
            """
        INSERT INTO {takeover} (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT o.lane, o.id, {later}, o.message_id, {cluster}, CAST(:batch AS DECIMAL(19)), {now}
        FROM {source} o
        WHERE o.lane = :lane
          AND o.id <= :upTo
          {only}
          AND NOT EXISTS (
            SELECT 1
            FROM {takeover} t
            WHERE t.lane = o.lane
              AND t.id = o.id
              AND t.later = {later}
              AND t.message_id = o.message_id)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND d.msg_key = o.msg_key
              {before})
        ORDER BY {order}
        {limit}
        """)
        .replace("{limit}", atMost);
  }

  /** As {@link #note}, of the message {@code :id}. */
  public static String noteOne(Source source) {
    return source.fill(
        """
        INSERT INTO {takeover} (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT o.lane, o.id, {later}, o.message_id, {cluster}, CAST(:batch AS DECIMAL(19)), {now}
        FROM {source} o
        WHERE o.lane = :lane
          AND o.id = :id
          {only}
          AND NOT EXISTS (
            SELECT 1
            FROM {takeover} t
            WHERE t.lane = o.lane
              AND t.id = o.id
              AND t.later = {later}
              AND t.message_id = o.message_id)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND d.msg_key = o.msg_key
              {before})
        """);
  }

  /** The highest {@code batch} of this cluster's notes. */
  public static String lastBatch() {
    return """
        SELECT MAX(batch) AS batch
        FROM {takeover}
        WHERE cluster_id = {cluster}
        """;
  }

  /** Lane, id and message_id of what was noted with {@code :batch}. */
  public static String ofBatch() {
    return """
        SELECT lane, id, message_id
        FROM {takeover}
        WHERE cluster_id = {cluster}
          AND batch = :batch
        ORDER BY id
        """;
  }

  /** Appends what was noted with {@code :batch} to the lane that is {@code :shift} further. */
  public static String take(Source source) {
    return source.fill(
        """
        INSERT INTO {outbox} (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at
        FROM {takeover} t
        JOIN {source} o
          ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id
        WHERE t.cluster_id = {cluster}
          AND t.batch = :batch
        ORDER BY {order}
        """);
  }
}
