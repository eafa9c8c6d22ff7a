package dev.outbox.jdbc.internal.session;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.regex.Pattern;

/** A pool that lends no connection because it was closed. */
final class ClosedPoolException extends SQLException {
  private static final long serialVersionUID = 1L;

  /** As HikariCP, DBCP, Tomcat, Agroal, c3p0 and H2 say it; a server's answer has a SQLState. */
  private static final Pattern TEXT =
      Pattern.compile("(?is).*(pool|data ?source).*\\b(closed|disposed|shut ?down)\\b.*");

  private ClosedPoolException(Exception cause) {
    super(cause.getMessage(), cause);
  }

  /** What a data source threw, told as this where its pool is closed. */
  static SQLException of(SQLException refusal) {
    boolean mayPass = refusal.getSQLState() != null || refusal instanceof SQLTransientException;
    return !mayPass && isSaidBy(refusal) ? new ClosedPoolException(refusal) : refusal;
  }

  /**
   * The same of a pool that throws an unchecked exception, which is thrown on if it says something
   * else.
   */
  static SQLException of(IllegalStateException refusal) {
    if (isSaidBy(refusal)) {
      return new ClosedPoolException(refusal);
    }
    throw refusal;
  }

  private static boolean isSaidBy(Exception refusal) {
    String text = refusal.getMessage();
    return text != null && TEXT.matcher(text).matches();
  }
}
