package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.at;
import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DueLooksTest {
  private final RelayState.DueLooks looks = new RelayState.DueLooks();

  @Test
  void one_of_the_workers_looks_once_a_second() {
    assertThat(looks.isTime(atSecond(0))).isTrue();
    assertThat(looks.isTime(atSecond(0))).isFalse();
    assertThat(looks.isTime(at(Duration.ofMillis(999)))).isFalse();
    assertThat(looks.isTime(atSecond(1))).isTrue();
  }

  @Test
  void whoever_comes_next_looks_again_where_there_may_be_more() {
    looks.isTime(atSecond(0));

    looks.again();

    assertThat(looks.isTime(atSecond(0))).isTrue();
    assertThat(looks.isTime(atSecond(0))).isFalse();
  }
}
