package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.internal.text.Causes;
import dev.outbox.jdbc.dialect.Product;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The database behind a data source: its product, and its address as the driver knows it.
 *
 * <p>Immutable.
 */
public record Server(Product product, String address) {
  private static final String CANNOT_CONNECT =
      "cannot connect; check that the database is running, and the URL, user and password of the DataSource. The driver says: ";

  private static final Pattern PASSWORD = Pattern.compile("(?is)(password\\d*=).*");
  private static final Pattern OPTIONS = Pattern.compile("[?;].*", Pattern.DOTALL);
  private static final Pattern LOGIN = Pattern.compile("^(jdbc:\\w+:).*@", Pattern.DOTALL);

  /** Connects once. */
  public static Server behind(DataSource dataSource) {
    try (Connection connection = dataSource.getConnection()) {
      DatabaseMetaData metadata = connection.getMetaData();
      return new Server(Product.of(metadata), address(metadata));
    } catch (SQLException e) {
      throw cannotConnect(e);
    }
  }

  /** What to check, and then what the driver says: behind a pool, that is its last cause. */
  public static StoreException cannotConnect(SQLException refusal) {
    String said = Causes.behind(refusal, String.valueOf(refusal.getMessage()));
    return StoreException.passing(CANNOT_CONNECT + said, refusal);
  }

  /**
   * The URL without what may be secret: all that is behind {@code password=}, a login before an @,
   * and the options.
   */
  static String address(DatabaseMetaData metadata) throws SQLException {
    String url = Objects.requireNonNullElse(metadata.getURL(), "an unknown address");
    String named = PASSWORD.matcher(url).replaceFirst("$1…");
    return LOGIN.matcher(OPTIONS.matcher(named).replaceFirst("")).replaceFirst("$1…@");
  }
}
