package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.lane.Lane;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeTest {
  @Test
  void lanes_are_said_in_order_with_the_name_of_the_sender() {
    Notice notice = new Notice(lanes(17, 3), "5f0c");

    assertThat(notice.text()).isEqualTo("3,17 5f0c");
    assertThat(Notice.of("3,17 5f0c")).isEqualTo(notice);
  }

  @Test
  void anywhere_is_a_star() {
    assertThat(new Notice(Set.of(), "5f0c").text()).isEqualTo("* 5f0c");
    assertThat(Notice.of("* 5f0c")).isEqualTo(new Notice(Set.of(), "5f0c"));
  }

  @Test
  void many_lanes_are_anywhere() {
    assertThat(new Notice(lanes(IntStream.range(0, 100).toArray()), "a").text())
        .startsWith("0,1,2,")
        .endsWith(",99 a");
    assertThat(new Notice(lanes(IntStream.range(0, 101).toArray()), "a").text()).isEqualTo("* a");
  }

  @Test
  void a_writer_without_a_name_is_understood() {
    assertThat(Notice.of("7")).isEqualTo(new Notice(lanes(7), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "hello", "1,", ",", "-1", "1024", "99999999999", "1, 2", "1;2"})
  void what_nobody_understands_is_news_from_anywhere(String text) {
    assertThat(Notice.of(text).lanes()).isEmpty();
  }

  private static Set<Lane> lanes(int... numbers) {
    return IntStream.of(numbers).mapToObj(Lane::new).collect(Collectors.toSet());
  }
}
