package dev.outbox.internal.relay;

import static dev.outbox.internal.relay.Samples.envelope;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.RelayStatus;
import dev.outbox.StoreException;
import dev.outbox.message.MessageId;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator reads while the database refuses the ends of batches: a trigger says no. */
class RefusedSettlesLogTest {
  private static final int LANES = 32;

  private final ScriptedLanes lanes = new ScriptedLanes(LANES);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @BeforeEach
  void refuseEachDelete() {
    LogLines.of(() -> relay.pass(1000));
    lanes.refusing = () -> lanes.refusal = audit();
    for (int number = 0; number < LANES; number++) {
      lanes.refused.add(new Lane(number));
      put(number);
    }
    relay.wake();
  }

  @Test
  void the_first_line_says_which_lanes_why_when_it_tries_again_and_what_a_restart_does() {
    List<String> lines = LogLines.of(() -> relay.pass(400));

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("ERROR", "relay=test could not save the results of 32 messages of lanes 0-31")
        .contains("next attempt within 0.5 s; until one succeeds, ")
        .contains("a restart or takeover publishes them again")
        .containsPattern(": settle: row \\d+ of .* is kept by audit \\(SQLState P0001\\)$");
  }

  @Test
  void its_health_names_the_lanes_until_it_is_over() {
    LogLines.of(() -> relay.pass(2000));
    assertThat(relay.status().health()).isEqualTo(RelayStatus.Health.DEGRADED);
    assertThat(relay.status().reason())
        .isEqualTo("waits to save the results of lanes 0-31, see the log");

    lanes.refused.clear();
    LogLines.of(() -> relay.pass(60_000));
    assertThat(relay.status().health()).isEqualTo(RelayStatus.Health.UP);
  }

  @Test
  void the_same_reason_is_one_line_a_minute_with_its_count() {
    LogLines.of(() -> relay.pass(400));

    assertThat(LogLines.of(() -> relay.pass(Duration.ofSeconds(55)))).isEmpty();
    List<String> lines = LogLines.of(() -> relay.pass(Duration.ofSeconds(60)));

    assertThat(lines)
        .singleElement()
        .asString()
        .containsPattern("ERROR .*relay=test \\d+ more attempts to save the results of lanes 0-31")
        .contains("were refused, next attempt within 32 s")
        .endsWith("is kept by audit (SQLState P0001)");
  }

  @Test
  void another_reason_is_told_at_once_with_its_lanes() {
    LogLines.of(() -> relay.pass(400));
    lanes.refused.remove(new Lane(0));
    StoreException denied = StoreException.lasting("permission denied (SQLState 42501)", null);
    lanes.refusing = () -> lanes.refusal = denied;

    List<String> lines = LogLines.of(() -> relay.pass(20_000));

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("ERROR", "31 messages of lanes 1-31", "permission denied");
  }

  @Test
  void its_end_is_one_line_once_no_lane_is_refused_any_more() {
    LogLines.of(() -> relay.pass(400));
    lanes.refused.removeIf(lane -> lane.number() > 0);
    assertThat(LogLines.of(() -> relay.pass(20_000))).isEmpty();

    lanes.refused.clear();
    List<String> lines = LogLines.of(() -> relay.pass(120_000));

    assertThat(lines)
        .singleElement()
        .asString()
        .containsPattern("INFO .*relay=test no refused results are left after .* refusals");
  }

  @Test
  void the_next_is_told_of_as_the_first() {
    LogLines.of(() -> relay.pass(400));
    lanes.refused.clear();
    LogLines.of(() -> relay.pass(120_000));
    lanes.refused.add(new Lane(5));
    put(5);
    relay.wake();

    assertThat(LogLines.of(() -> relay.pass(400)))
        .singleElement()
        .asString()
        .contains("ERROR", "the results of 1 messages of lanes 5,");
  }

  @Test
  void a_close_tells_which_results_are_not_saved() {
    LogLines.of(() -> relay.pass(400));

    List<String> lines = LogLines.of(() -> relay.turns().giveUp());

    assertThat(lines)
        .singleElement()
        .asString()
        .contains("WARN", "relay=test closes although the results of 32 messages of lanes 0-31")
        .contains("are not saved; they are published again: settle: row ");
  }

  /** What a trigger says of a row, which is another each time. */
  private StoreException audit() {
    String reason = "settle: row %d of %s is kept by audit (SQLState P0001)";
    return StoreException.lasting(reason.formatted(++ids, MessageId.next()), null);
  }

  private void put(int number) {
    Lane lane = new Lane(number);
    lanes.put(StoredEnvelope.ready(++ids, lane, envelope("k" + ids)));
  }
}
