package dev.outbox.jdbc.dialect;

import dev.outbox.jdbc.dialect.ClusterSql.Source;

/**
 * What clusters ask of their tables to clear up behind takeovers: as {@link ClusterSql}, the same
 * text on every database.
 */
public final class SweepSql {
  private SweepSql() {}

  /** Whether there are notes at all. */
  public static String anyNote(String atMost) {
    return """
        SELECT lane
        FROM {takeover}
        {limit}
        """
        .replace("{limit}", atMost);
  }

  /**
   * Lane, id and {@code hit} of messages of the lanes {@code :low} to {@code :high} with ids above
   * {@code :after}, in order; a hit (not 0) was taken over and is there all the same.
   */
  // counted, and of the few rows within: for EXISTS PostgreSQL may read all notes for each piece
  public static String ghosts(Source source, String atMost) {
    return source
        .fill(
            """
            SELECT g.lane, g.id, g.message_id, (
              SELECT COUNT(*)
              FROM {takeover} t
              WHERE t.lane = g.lane
                AND t.id = g.id
                AND t.later = {later}
                AND t.message_id = g.message_id) AS hit
            FROM (
              SELECT o.lane, o.id, o.message_id
              FROM {source} o
              WHERE o.lane BETWEEN :low AND :high
                AND o.id > :after
              ORDER BY o.lane, o.id
              {limit}) g
            ORDER BY g.lane, g.id
            """)
        .replace("{limit}", atMost);
  }

  /**
   * Lane, id, due_at and {@code hit} of delayed messages of {@code :lane} that are due, behind the
   * one with {@code :after} that was due at {@code :at}, in order. No others are taken over.
   */
  public static String delayedGhosts(String atMost) {
    return Source.DELAYED
        .fill(
            """
            SELECT g.lane, g.id, g.due_at, (
              SELECT COUNT(*)
              FROM {takeover} t
              WHERE t.lane = g.lane
                AND t.id = g.id
                AND t.later = {later}
                AND t.message_id = g.message_id) AS hit
            FROM (
              SELECT o.lane, o.id, o.due_at, o.message_id
              FROM {source} o
              WHERE o.lane = :lane
                AND o.due_at >= :at
                AND (o.due_at > :at OR o.id > :after)
                {only}
              ORDER BY {order}
              {limit}) g
            ORDER BY g.due_at, g.id
            """)
        .replace("{limit}", atMost);
  }

  /**
   * Lane, id, message_id and {@code hit} of parked messages of the lanes {@code :low} to {@code
   * :high} with ids above {@code :after}, in order; a hit (1) is a follower that has become the
   * first of its key without anybody telling it.
   */
  public static String followers(String atMost) {
    return """
        SELECT p.lane, p.id, p.message_id, CASE WHEN p.due_at IS NULL AND p.reason = 'FOLLOWER'
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
              AND d.id < p.id) THEN 1 ELSE 0 END AS hit
        FROM (
          SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.due_at, o.reason
          FROM {parked} o
          WHERE o.lane BETWEEN :low AND :high
            AND o.id > :after
          ORDER BY o.lane, o.id
          {limit}) p
        ORDER BY p.lane, p.id
        """
        .replace("{limit}", atMost);
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

  /** The {@code batch} of each of this cluster's notes below {@code :batch}, in order. */
  public static String oldNotes(String atMost) {
    return """
        SELECT batch
        FROM {takeover}
        WHERE cluster_id = {cluster}
          AND batch < :batch
        ORDER BY batch
        {limit}
        """
        .replace("{limit}", atMost);
  }

  /** Forgets what was noted with batches up to {@code :batch} before {@code :before}. */
  public static String dropNotes() {
    return """
        DELETE FROM {takeover}
        WHERE cluster_id = {cluster}
          AND batch <= :batch
          AND taken_at < :before
        """;
  }
}
