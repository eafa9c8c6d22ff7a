package dev.outbox.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.Samples;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PendingWorkTest {
  private final PendingWork news = new PendingWork();

  @Test
  void a_fresh_lane_may_have_anything() {
    assertThat(news.hasReady()).isTrue();
    assertThat(news.hasDue()).isTrue();
    assertThat(news.hasDelayed()).isTrue();
    assertThat(news.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void a_read_of_some_may_find_more_and_one_of_all_ends_it() {
    news.readReady(true);
    news.readDue(List.of());
    assertThat(news.hasReady()).isFalse();
    assertThat(news.hasDue()).isFalse();

    news.readReady(false);
    news.readDue(List.of(Samples.parked(1, "a", 1)));
    assertThat(news.hasReady()).isTrue();
    assertThat(news.hasDue()).isTrue();
  }

  @Test
  void what_was_left_where_it_was_is_news_of_its_kind() {
    calm();
    news.left(false);
    assertThat(news.hasReady()).isTrue();
    assertThat(news.hasDue()).isFalse();

    calm();
    news.left(true);
    assertThat(news.hasReady()).isFalse();
    assertThat(news.hasDue()).isTrue();
  }

  @Test
  void news_of_one_kind_is_no_news_of_another() {
    calm();
    news.ready();
    assertThat(news.hasDue() || news.hasDelayed() || news.hasReleasable(Set.of())).isFalse();

    calm();
    news.due();
    assertThat(news.hasReady() || news.hasDelayed() || news.hasReleasable(Set.of())).isFalse();

    calm();
    news.delayed();
    assertThat(news.hasReady() || news.hasDue() || news.hasReleasable(Set.of())).isFalse();
  }

  @Test
  void news_from_everywhere_is_of_every_kind_that_nobody_here_would_know_of() {
    calm();

    news.everywhere();

    assertThat(news.hasReady() && news.hasDue() && news.hasDelayed()).isTrue();
  }

  @Test
  void nothing_is_releasable_again_until_the_holds_change_while_some_topic_is_held() {
    news.releasedAll(true);
    assertThat(news.hasReleasable(Set.of())).isFalse();

    news.mayRelease();
    assertThat(news.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void nothing_is_releasable_at_all_once_everything_was_released() {
    news.releasedAll(false);
    news.mayRelease();
    assertThat(news.hasReleasable(Set.of())).isFalse();

    news.parkedWith(Set.of("paused"));
    assertThat(news.hasReleasable(Set.of())).isTrue();
  }

  @Test
  void what_was_parked_with_its_topic_is_releasable_once_that_topic_is_not_held() {
    news.releasedAll(true);

    news.parkedWith(Set.of("paused"));

    assertThat(news.hasReleasable(Set.of("paused", "limited"))).isFalse();
    assertThat(news.hasReleasable(Set.of("limited"))).isTrue();
  }

  private void calm() {
    news.readReady(true);
    news.readDue(List.of());
    news.promotedAll();
    news.releasedAll(false);
  }
}
