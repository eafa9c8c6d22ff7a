package dev.outbox.tck.store.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every writer finds the same lane for a key, in Java and in SQL. */
public abstract class LaneHashCases extends StoreCases {
  protected LaneHashCases(Opener opener) {
    super(opener);
  }

  /** The first four bytes of the SHA-256 of each key's UTF-8 form, computed with sha256sum. */
  private static final Map<String, Long> GOLDEN =
      Map.of(
          "a", 0xca978112L,
          "A", 0x559aead0L,
          "a ", 0x6583dcd6L,
          "order-1", 0x0bafe221L,
          "\u041A\u043B\u044E\u0447", 0x248f99a1L,
          "\u00E9", 0x4a99557eL,
          "\uD834\uDD1E\uD83D\uDE80", 0x1338384dL,
          "z\u0308", 0x4ad5caabL);

  private static final List<Integer> LANES = List.of(1, 2, 7, 32, 1024);

  @Test
  void the_lane_of_a_key_is_what_sha256sum_says() {
    GOLDEN.forEach(
        (key, hash) -> {
          for (int lanes : LANES) {
            Lane expected = new Lane((int) (hash % lanes));
            assertThat(LaneHash.of(new Key(key), lanes)).as(key).isEqualTo(expected);
          }
        });
  }

  @Test
  void the_lane_of_a_key_is_what_sql_says() throws Exception {
    for (Map.Entry<String, Long> golden : GOLDEN.entrySet()) {
      for (int lanes : LANES) {
        OptionalInt lane = environment().laneInSql(golden.getKey(), lanes);
        int expected = (int) (golden.getValue() % lanes);
        assertThat(lane.orElse(expected)).as(golden.getKey()).isEqualTo(expected);
      }
    }
  }

  @Test
  void messages_without_a_key_are_spread_over_all_lanes() {
    Set<Lane> lanes = new HashSet<>();
    for (int i = 0; i < 2_000; i++) {
      lanes.add(LaneHash.spread(MessageId.next(), 32));
    }
    assertThat(lanes).hasSize(32);
  }
}
