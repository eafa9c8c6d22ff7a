package dev.outbox.internal.relay.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class LeftBehindTest {
  private final LeftBehind left = new LeftBehind();

  @Test
  void reads_go_through_what_was_left_up_to_where_they_were() {
    assertThat(left.goThrough(20)).isFalse();
    left.leave(Set.of(), 13, 13);
    assertThat(left.goThrough(20)).isTrue();

    assertThat(left.isSkipping()).isFalse();
    assertThat(left.isGoingThrough(19)).isTrue();
    assertThat(left.isGoingThrough(20)).isFalse();
    left.wentThrough();
    assertThat(left.isGoingThrough(19)).isFalse();
  }

  @Test
  void topics_that_were_left_are_forgotten_when_the_next_read_from_below_returns() {
    left.leave(Set.of("orders"), 13, 13);
    assertThat(left.topicsBelow()).containsExactly("orders");

    left.goBack();
    assertThat(left.topics()).containsExactly("orders");
    assertThat(left.topicsBelow()).isEmpty();
    assertThat(left.topics()).isEmpty();
  }
}
