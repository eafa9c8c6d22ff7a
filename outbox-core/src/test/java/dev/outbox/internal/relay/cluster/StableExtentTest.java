package dev.outbox.internal.relay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class StableExtentTest {
  private static final Duration LEAST = Duration.ofMillis(100);

  private final StableExtent stableExtent = new StableExtent();

  private Extent upTo(int milli, Supplier<Extent> there) {
    Ticker.Moment now = new Ticker.Moment(milli * 1_000_000L, Instant.ofEpochMilli(milli));
    return stableExtent.upTo(LEAST, there, now);
  }

  private Extent upTo(int milli, long there) {
    return upTo(milli, () -> new Extent(there, 10 * there));
  }

  @Test
  void what_has_just_come_does_not_count() {
    assertThat(upTo(0, 1)).isEqualTo(Extent.NOTHING);
    assertThat(upTo(100, 2)).isEqualTo(new Extent(1, 10));
    assertThat(upTo(250, 3)).isEqualTo(new Extent(2, 20));
    assertThat(upTo(900, 3)).isEqualTo(new Extent(3, 30));
  }

  @Test
  void turns_that_follow_each_other_at_once_do_not_ask_and_take_no_more() {
    upTo(0, 1);
    upTo(100, 2);
    assertThat(upTo(101, StableExtentTest::askedTooEarly)).isEqualTo(new Extent(1, 10));
    assertThat(upTo(199, StableExtentTest::askedTooEarly)).isEqualTo(new Extent(1, 10));
    assertThat(upTo(200, 9)).isEqualTo(new Extent(2, 20));
  }

  private static Extent askedTooEarly() {
    throw new AssertionError("asked before the time of half a beat");
  }

  @Test
  void delayed_ones_have_ids_of_their_own() {
    Extent extent = new Extent(5, 7);
    assertThat(extent.reaches(new Orphan(5, false))).isTrue();
    assertThat(extent.reaches(new Orphan(6, false))).isFalse();
    assertThat(extent.reaches(new Orphan(7, true))).isTrue();
    assertThat(extent.reaches(new Orphan(8, true))).isFalse();
  }
}
