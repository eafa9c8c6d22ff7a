package dev.outbox.jdbc.shape;

/**
 * How a database shows the next id of a {@code {table}} and its {@code {column}}: a closed set of
 * three.
 */
public sealed interface NextIdSql {
  /** It is selected as {@code next}, for a table {@code :name} of {@code :schema} or null. */
  record Told(String sql) implements NextIdSql {}

  /**
   * A sequence gives it, whose {@code name} is asked for first, and as {@code readable} whether we
   * may read it, 1 or 0; {@code sql} selects {@code next} from {@code {sequence}}.
   */
  record OfSequence(String name, String sql) implements NextIdSql {}

  /**
   * The second column of {@code sql} is the table's DDL, and it is there unless it is 1; in some
   * sessions only between {@code plainMode} and {@code modeAsBefore}. It is raised by DDL behind
   * which every writer waits, so between {@code waitBriefly} and {@code waitAsBefore}.
   */
  record Shown(
      String sql, String plainMode, String modeAsBefore, String waitBriefly, String waitAsBefore)
      implements NextIdSql {}
}
