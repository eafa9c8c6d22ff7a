package dev.outbox.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
