package dev.outbox.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShortTextTest {
  @Test
  void neighbours_are_a_range_whatever_their_order() {
    assertThat(ShortText.ranges(IntStream.range(0, 32).boxed().toList())).isEqualTo("0-31");
    assertThat(ShortText.ranges(List.of(7, 1, 0, 2, 9, 10, 7))).isEqualTo("0-2, 7, 9-10");
    assertThat(ShortText.ranges(List.of())).isEqualTo("none");
  }

  @Test
  void counts_that_are_zero_are_left_out() {
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("ready", 12);
    counts.put("parked", 0);
    counts.put("dead", 1);

    assertThat(ShortText.counts(counts)).isEqualTo("ready 12, dead 1");
    assertThat(ShortText.counts(Map.of("ready", 0))).isEqualTo("empty");
  }

  @Test
  void a_text_stays_in_one_line() {
    assertThat(ShortText.oneLine("a\r\nb\u0085c\u2028d\u2029e\tf\0\u001bg é"))
        .isEqualTo("a  b c d e f  g é");
  }
}
