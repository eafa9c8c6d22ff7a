package dev.outbox.jdbc.shape;

/** How one statement asks for rows of several lanes: a closed set of two. */
public sealed interface LaneQuery {
  /**
   * The lanes come as arrays: {@code :lanes}, and where the row says so {@code :afters} and {@code
   * :limits}.
   */
  record Arrays(String sql) implements LaneQuery {}

  /**
   * {@code arm} stands once per lane, joined by UNION ALL, and binds {@code :lane}, {@code :after},
   * {@code :limit}; {@code last} stands once behind them, unless it is empty.
   */
  record UnionAll(String arm, String last) implements LaneQuery {
    public UnionAll(String arm) {
      this(arm, "");
    }
  }
}
