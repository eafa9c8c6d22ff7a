package dev.outbox.jdbc.shape;

import java.time.Duration;

/** How a database shows who may still commit a ready message: a closed set of four. */
public sealed interface WritersSql {
  /**
   * Each row is a {@code name} of an open transaction; it is complete for ids taken {@code lag}
   * before the question.
   */
  record Told(String sql, Duration lag) implements WritersSql {}

  /**
   * Each row is a {@code name} of an open transaction, and a {@code number} of it, if it has one by
   * now; it is complete for all ids taken before the question. Each row of {@code running} is the
   * number of a transaction that was visible to no read before this question.
   */
  record Numbered(String sql, String running) implements WritersSql {}

  /**
   * It reads from a copy, which is made again only when it has not been read for a tenth of a
   * second. {@code begin} begins a transaction of ours, so that its rows have it too: as {@code
   * own} what it was asking when the copy was made, null for the others.
   */
  record Copied(String begin, String sql, Duration lag) implements WritersSql {}

  /** It does not show. */
  record Untold() implements WritersSql {}
}
