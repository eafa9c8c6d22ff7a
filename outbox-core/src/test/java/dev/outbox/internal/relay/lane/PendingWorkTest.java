package dev.outbox.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PendingWorkTest {
  private final PendingWork pending = new PendingWork();

  @Test
  void a_fresh_lane_may_have_anything() {
    assertThat(pending.hasReady()).isTrue();
    assertThat(pending.hasDue()).isTrue();
    assertThat(pending.hasDelayed()).isTrue();
    assertThat(pending.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void a_read_of_some_may_find_more_and_one_of_all_ends_it() {
    pending.readReady(true);
    pending.readDue(List.of(), Set.of());
    assertThat(pending.hasReady()).isFalse();
    assertThat(pending.hasDue()).isFalse();

    pending.readReady(false);
    pending.readDue(List.of(Samples.parked(1, "a", 1)), Set.of());
    assertThat(pending.hasReady()).isTrue();
    assertThat(pending.hasDue()).isTrue();
  }

  @Test
  void what_was_left_where_it_was_is_news_of_its_kind() {
    calm();
    pending.left(false);
    assertThat(pending.hasReady()).isTrue();
    assertThat(pending.hasDue()).isFalse();

    calm();
    pending.left(true);
    assertThat(pending.hasReady()).isFalse();
    assertThat(pending.hasDue()).isTrue();
  }

  @Test
  void news_of_one_kind_is_no_news_of_another() {
    calm();
    pending.ready();
    assertThat(pending.hasDue() || pending.hasDelayed() || pending.hasReleasable(Set.of()))
        .isFalse();

    calm();
    pending.due(true);
    assertThat(pending.hasReady() || pending.hasDelayed() || pending.hasReleasable(Set.of()))
        .isFalse();

    calm();
    pending.delayed(true);
    assertThat(pending.hasReady() || pending.hasDue() || pending.hasReleasable(Set.of())).isFalse();
  }

  @Test
  void news_from_everywhere_is_of_every_kind_that_nobody_here_would_know_of() {
    calm();

    pending.everywhere();

    assertThat(pending.hasReady() && pending.hasDue() && pending.hasDelayed()).isTrue();
  }

  @Test
  void nothing_is_releasable_again_until_the_holds_change_while_some_topic_is_held() {
    pending.released(false, true, true);
    assertThat(pending.hasReleasable(Set.of())).isFalse();

    pending.mayRelease(Set.of());
    assertThat(pending.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void nothing_is_releasable_at_all_once_everything_was_released() {
    pending.released(false, true, false);
    pending.mayRelease(Set.of());
    assertThat(pending.hasReleasable(Set.of())).isFalse();

    pending.written(List.of(parkedWith("paused")));
    assertThat(pending.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void what_was_parked_with_its_topic_is_releasable_once_that_topic_is_not_held() {
    pending.released(false, true, true);

    pending.written(List.of(parkedWith("paused")));

    assertThat(pending.hasReleasable(Set.of("paused", "limited"))).isFalse();
    assertThat(pending.hasReleasable(Set.of("limited"))).isTrue();
  }

  private static Fate parkedWith(String topic) {
    StoredEnvelope message = StoredEnvelope.ready(1, Samples.LANE, Samples.envelope(topic, "a"));
    return new Fate.Park(message, HoldReason.TOPIC, 0, null, null, "");
  }

  private void calm() {
    pending.readReady(true);
    pending.readDue(List.of(), Set.of());
    pending.promoted(false, true);
    pending.released(false, true, false);
  }
}
