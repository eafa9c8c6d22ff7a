package dev.outbox.spi.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The golden values were computed without Java, by
 *
 * <pre>{@code
 * for k in order-1 a ключ 🚀 "customer 42"; do
 *   h=$(printf %s "$k" | sha256sum | cut -c1-8); echo "$k $h $((0x$h % 32)) $((0x$h % 1024))"
 * done
 * }</pre>
 */
class LaneHashTest {
  private static final Map<String, Integer> OF_32 =
      Map.of(
          "order-1",
          1,
          "a",
          18,
          "\u043a\u043b\u044e\u0447",
          18,
          "\ud83d\ude80",
          8,
          "customer 42",
          5);
  private static final Map<String, Integer> OF_1024 =
      Map.of(
          "order-1",
          545,
          "a",
          274,
          "\u043a\u043b\u044e\u0447",
          562,
          "\ud83d\ude80",
          808,
          "customer 42",
          37);

  @Test
  void a_key_has_the_lane_that_sha256sum_says() {
    OF_32.forEach(
        (key, lane) -> assertThat(LaneHash.of(new Key(key), 32)).isEqualTo(new Lane(lane)));
    OF_1024.forEach(
        (key, lane) -> assertThat(LaneHash.of(new Key(key), 1024)).isEqualTo(new Lane(lane)));
  }

  @Test
  void with_one_lane_everything_is_in_lane_0() {
    assertThat(LaneHash.of(new Key("order-1"), 1)).isEqualTo(new Lane(0));
    assertThat(LaneHash.spread(MessageId.next(), 1)).isEqualTo(new Lane(0));
  }

  @Test
  void messages_without_a_key_spread_over_all_lanes_and_never_below_0() {
    boolean[] met = new boolean[32];
    for (int i = 0; i < 10_000; i++) {
      met[LaneHash.spread(MessageId.next(), 32).number()] = true;
    }
    assertThat(met).doesNotContain(false);
    assertThat(LaneHash.spread(new MessageId(new UUID(0, -1)), 3)).isEqualTo(new Lane(0));
  }
}
