package dev.outbox.jdbc.internal.doctor.base;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Properties;
import javax.sql.DataSource;

/**
 * What a pool hands to its driver beside the URL. The only class that needs HikariCP's; others load
 * without it. Stateless.
 */
public final class PoolProperties {
  private PoolProperties() {}

  /** Empty for another pool, which may have some all the same. */
  public static Properties of(DataSource dataSource) {
    try {
      return dataSource.isWrapperFor(HikariDataSource.class)
          ? dataSource.unwrap(HikariDataSource.class).getDataSourceProperties()
          : new Properties();
    } catch (SQLException | RuntimeException | LinkageError e) {
      // not HikariCP's, or it is not here
      return new Properties();
    }
  }
}
