package dev.outbox.jdbc.dialect;

import java.time.Duration;

/** How a database tells who may still commit a ready message: a closed set of two. */
public sealed interface WritersSql {
  /**
   * Each row is a {@code name} of an open transaction; it is complete for ids taken {@code lag}
   * before the question.
   */
  record Told(String sql, Duration lag) implements WritersSql {}

  /** It does not tell. */
  record Untold() implements WritersSql {}
}
