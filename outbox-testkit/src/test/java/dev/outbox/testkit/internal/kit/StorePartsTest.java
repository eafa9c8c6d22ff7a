package dev.outbox.testkit.internal.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StorePartsTest {
  @Test
  void what_has_no_answer_is_named_where_its_deadline_cannot_be_moved() {
    StoreParts parts = new StoreParts(InMemoryStore.create(), null, null);
    assertThatThrownBy(() -> parts.empty(() -> 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("2 messages have no answer from the publisher");
  }

  @Test
  void a_clock_is_moved_past_the_deadline_of_what_has_no_answer() {
    SettableClock clock = SettableClock.create();
    Instant deadline = clock.instant().plus(Duration.ofSeconds(30));
    StoreParts parts = new StoreParts(InMemoryStore.builder().clock(clock).build(), null, clock);
    parts.empty(() -> clock.instant().isAfter(deadline) ? 0 : 1);
    assertThat(clock.instant()).isBefore(deadline.plusSeconds(2));
  }
}
