package dev.outbox.jdbc.dialect;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a connection says of its server.
 *
 * <p>Immutable.
 */
public record Product(String name, String version) {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");

  /** Asks the connection's metadata; drivers keep the answer. */
  public static Product of(DatabaseMetaData metadata) throws SQLException {
    return new Product(metadata.getDatabaseProductName(), metadata.getDatabaseProductVersion());
  }

  /** True when this is the product of the connection with this metadata. */
  public boolean isOf(DatabaseMetaData metadata) throws SQLException {
    return name.equals(metadata.getDatabaseProductName())
        && version.equals(metadata.getDatabaseProductVersion());
  }

  /** True for MariaDB, which announces itself as MySQL through MySQL's driver. */
  public boolean isMariaDb() {
    return name.equals("MariaDB") || version.contains("MariaDB");
  }

  /** True when the version is {@code major.minor.patch} or newer. */
  public boolean isAtLeast(int major, int minor, int patch) {
    // MariaDB prefixes 5.5.5- for old replication clients
    Matcher numbers =
        NUMBERS.matcher(version.startsWith("5.5.5-") ? version.substring(6) : version);
    if (!numbers.find()) {
      return false;
    }
    long[] wanted = {major, minor, patch};
    for (int i = 0; i < wanted.length; i++) {
      String text = numbers.group(i + 1);
      long found = text == null ? 0 : Long.parseLong(text);
      if (found != wanted[i]) {
        return found > wanted[i];
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return name + " " + version;
  }
}
