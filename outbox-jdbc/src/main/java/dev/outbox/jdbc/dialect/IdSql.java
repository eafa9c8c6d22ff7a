package dev.outbox.jdbc.dialect;

/**
 * What is asked of ids and epochs that may have gone back. Plain enough to be the same text on
 * every database, so it stands here once; names and values are written as in a {@link Dialect}.
 */
public final class IdSql {
  private IdSql() {}

  /** The highest id of the delayed messages at or above {@code :next} as {@code highest}. */
  public static String highestDelayed() {
    return """
        SELECT MAX(d.id) AS highest
        FROM {delayed} d
        WHERE d.id >= :next
        """;
  }

  /** The highest number of the dead letters at or above {@code :next} as {@code highest}. */
  public static String highestDead() {
    return """
        SELECT MAX(d.dead_id) AS highest
        FROM {dead} d
        WHERE d.dead_id >= :next
        """;
  }

  /** The lanes whose suspect is a message that is ready or parked. */
  public static String lanesWithSuspects() {
    return """
        SELECT l.lane
        FROM {lane} l
        WHERE l.suspect_id IS NOT NULL
          AND (EXISTS (
              SELECT 1
              FROM {outbox} o
              WHERE o.lane = l.lane
                AND o.id = l.suspect_id)
            OR EXISTS (
              SELECT 1
              FROM {parked} p
              WHERE p.lane = l.lane
                AND p.id = l.suspect_id))
        """;
  }

  public static String forgetSuspect() {
    return """
        UPDATE {lane}
        SET suspect_id = NULL, suspect_count = 0
        WHERE lane = :lane
        """;
  }

  /** Held by whoever raises ids. */
  public static String lockRaising() {
    return """
        SELECT m.schema_version
        FROM {meta} m
        FOR UPDATE
        """;
  }

  /**
   * Raises every epoch to at least {@code {least}}, and forgets floors and suspects. Whoever owns a
   * lane is fenced, and nobody owns it before its lease is over.
   */
  public static String raiseEpochs() {
    return """
        UPDATE {lane} SET epoch = CASE WHEN epoch < {least} THEN {least} ELSE epoch + 1 END, floor = 0, takeovers = 0, suspect_id = NULL, suspect_count = 0
        """;
  }
}
