package dev.outbox.internal.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxException.Finding;
import dev.outbox.publish.BrokerGuarantees;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RepeatWindowTest {
  private static final RepeatWindow LANES =
      RepeatWindow.byLanes(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofSeconds(30));

  private static BrokerGuarantees window(int seconds) {
    return BrokerGuarantees.nothing().dedupes(Duration.ofSeconds(seconds));
  }

  @Test
  void warns_of_a_window_that_a_takeover_can_outlast_with_both_numbers() {
    assertThat(LANES.warning(window(49)))
        .map(Finding::toString)
        .hasValue(
            "dedupe-window: the publisher's broker drops repeats for PT49S only, but after a takeover they may come PT50S later"
                + " (lease PT15S + renewal PT5S + publishDeadline PT30S); widen the window, or shorten those");
    assertThat(LANES.warning(window(50))).isEmpty();
    assertThat(RepeatWindow.byRows(Duration.ofSeconds(30)).warning(window(39))).isPresent();
    assertThat(RepeatWindow.byRows(Duration.ofSeconds(30)).warning(window(40))).isEmpty();
  }

  @Test
  void says_up_to_which_rate_a_count_of_ids_lasts() {
    assertThat(LANES.lastsUpTo(BrokerGuarantees.nothing().dedupes(20_000)))
        .hasValue(
            "the last 20000 ids are enough for a takeover (PT50S, lease PT15S + renewal PT5S + publishDeadline PT30S)"
                + " up to 400 messages a second");
    assertThat(LANES.warning(BrokerGuarantees.nothing().dedupes(20_000))).isEmpty();
    assertThat(LANES.lastsUpTo(window(49))).isEmpty();
  }

  @Test
  void says_nothing_of_a_broker_that_drops_no_repeats() {
    assertThat(LANES.warning(BrokerGuarantees.nothing())).isEmpty();
    assertThat(LANES.warning(BrokerGuarantees.nothing().dedupes(BrokerGuarantees.FOR_EVER)))
        .isEmpty();
  }
}
