package dev.outbox.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a driver is given beside the URL. */
class TargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/shop",
        "jdbc:mysql://db/shop",
        "jdbc:mariadb://db/shop",
        "jdbc:oracle:thin:@//db/shop"
      })
  void a_server_that_says_nothing_is_given_up(String url) {
    assertThat(Target.timeOuts(url).keySet())
        .anyMatch(name -> name.matches("connectTimeout|oracle.net.CONNECT_TIMEOUT"))
        .anyMatch(name -> name.matches("socketTimeout|oracle.jdbc.ReadTimeout"));
  }

  @Test
  void a_time_out_of_the_url_stays() {
    Map<String, String> timeOuts =
        Target.timeOuts("jdbc:oracle:thin:@//db/shop?oracle.jdbc.ReadTimeout=900000");
    assertThat(timeOuts).containsOnlyKeys("oracle.net.CONNECT_TIMEOUT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "jdbc:postgresql://h:5432/db?user=a&password=s3cr;et jdbc:postgresql://h:5432/db?***",
        "jdbc:postgresql://h/db?sslpassword=s3cr@et&user=a jdbc:postgresql://h/db?***",
        "jdbc:postgresql://[::1]:5432/db?token=s3cr@et jdbc:postgresql://[::1]:5432/db?***",
        "jdbc:postgresql://h1:5432,h2:5433/db jdbc:postgresql://h1:5432,h2:5433/db",
        "jdbc:mysql://user:s3cr/et@h:3306/db jdbc:mysql://***@h:3306/db",
        "jdbc:mysql://user:s3cr@et@h/db?x=y@z jdbc:mysql://***@h/db?***",
        "jdbc:mysql://user:s3cr?et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:s3cr;et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:s3cr#et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:12#et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:s3/c#et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:s3/c?et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:12/c?et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://user:12,s3#et@h/db jdbc:mysql://***@h/db",
        "jdbc:mysql://h:3306/db?x=y#z jdbc:mysql://h:3306/db?***",
        "jdbc:mysql://(host=h,user=a,password=s3cr,et)/db jdbc:mysql://(host=h,user=a,password=***",
        "jdbc:sqlserver://h:1433;user=a;PASSWORD={s3cr;et} jdbc:sqlserver://h:1433;***",
        "jdbc:oracle:thin:a/s3cr/et@//h:1521/db jdbc:oracle:thin:***@//h:1521/db",
        "jdbc:oracle:thin:a/s3cr;et@//h:1521/db jdbc:oracle:thin:***",
        "jdbc:oracle:oci:a/s3cret@db jdbc:oracle:oci:***@db",
        "jdbc:mysql://a:12?cr@h/db jdbc:mysql://***@h/db",
        "jdbc:oracle:thin:@//h:1521/db jdbc:oracle:thin:@//h:1521/db"
      })
  void no_part_of_a_password_is_shown_but_host_and_database_are(String url, String shown) {
    assertThat(Target.withoutSecrets(url)).isEqualTo(shown);
  }
}
