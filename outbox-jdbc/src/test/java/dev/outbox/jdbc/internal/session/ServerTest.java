package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerTest {
  @Test
  void a_pool_that_waited_for_a_connection_does_not_hide_why_there_is_none() {
    SQLException waited =
        new SQLTransientConnectionException(
            "HikariPool-1 - Connection is not available, request timed out after 250ms",
            new SQLException("FATAL: password authentication failed for user \"me\""));

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> Server.behind(poolThatThrows(waited)))
        .withMessageEndingWith(
            "The driver says: HikariPool-1 - Connection is not available, request timed out after 250ms;"
                + " caused by java.sql.SQLException: FATAL: password authentication failed for user \"me\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "jdbc:postgresql://h/db?user=a&password=s3cret jdbc:postgresql://h/db",
        "jdbc:mysql://a:s3cret@h/db jdbc:mysql:…@h/db",
        "jdbc:mysql://(host=h,user=a,password=s3cret)/db jdbc:mysql://(host=h,user=a,password=…",
        "jdbc:mysql://address=(host=h)(password1=s3@cr?et)/db jdbc:mysql://address=(host=h)(password1=…",
        "jdbc:h2:mem:a;PASSWORD=s3cret jdbc:h2:mem:a"
      })
  void the_address_shows_no_password(String url, String shown) throws SQLException {
    assertThat(Server.address(metadata(url))).isEqualTo(shown);
  }

  private static DatabaseMetaData metadata(String url) {
    return (DatabaseMetaData)
        Proxy.newProxyInstance(
            ServerTest.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, arguments) -> url);
  }

  private static DataSource poolThatThrows(SQLException refusal) {
    return (DataSource)
        Proxy.newProxyInstance(
            ServerTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              throw refusal;
            });
  }
}
