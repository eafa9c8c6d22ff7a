package dev.outbox.internal.relay.lane;

import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SureLeaseTest {
  private static final Duration RENEWAL = Duration.ofSeconds(5);

  private final Lease held = new Lease(Samples.LANE, "test", 1, 10);
  private final SureLease lease = new SureLease(held, atSecond(0), Duration.ofSeconds(10));

  @Test
  void it_is_sure_for_its_time_from_before_the_claim_was_sent() {
    assertThat(lease.isSure(atSecond(9))).isTrue();
    assertThat(lease.isSure(atSecond(10))).isFalse();
    assertThat(lease.isOlderThan(RENEWAL, atSecond(4))).isFalse();
    assertThat(lease.isOlderThan(RENEWAL, atSecond(5))).isTrue();
  }

  @Test
  void in_doubt_it_is_not_sure_and_to_be_renewed_at_once() {
    lease.doubt();

    assertThat(lease.isSure(atSecond(1))).isFalse();
    assertThat(lease.isOlderThan(RENEWAL, atSecond(1))).isTrue();
  }

  @Test
  void a_renewal_counts_from_before_it_was_sent_and_ends_a_doubt() {
    lease.doubt();
    lease.settled(settlement(10, Settlement.After.RENEW), atSecond(3));

    assertThat(lease.isSure(atSecond(12))).isTrue();
    assertThat(lease.isSure(atSecond(13))).isFalse();
  }

  @Test
  void what_runs_on_renews_nothing() {
    lease.doubt();
    lease.settled(settlement(10, Settlement.After.RUN_ON), atSecond(3));

    assertThat(lease.isSure(atSecond(4))).isFalse();
    assertThat(lease.confirmed()).isEqualTo(atSecond(0));
  }

  @Test
  void a_floor_that_must_fall_in_its_row_asks_for_a_renewal() {
    assertThat(lease.afterBatch(10)).isEqualTo(Settlement.After.RUN_ON);
    assertThat(lease.afterBatch(9)).isEqualTo(Settlement.After.RENEW);

    lease.settled(settlement(20, Settlement.After.RUN_ON), atSecond(1));
    assertThat(lease.afterBatch(19)).isEqualTo(Settlement.After.RENEW);
    lease.settled(settlement(15, Settlement.After.RENEW), atSecond(2));
    assertThat(lease.afterBatch(15)).isEqualTo(Settlement.After.RUN_ON);
  }

  private Settlement settlement(long floor, Settlement.After after) {
    return new Settlement(held, floor, List.of(), after);
  }
}
