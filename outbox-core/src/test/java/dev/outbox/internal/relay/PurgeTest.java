package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private final Deque<Object> answers = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;

  /** An archive that takes 50 ms for each batch. */
  private Purge purge(Object... answers) {
    this.answers.addAll(List.of(answers));
    Purge.History history =
        (retention, atMost) -> {
          assertThat(retention).isEqualTo(Duration.ofDays(30));
          assertThat(atMost).isEqualTo(500);
          now = now.plusMillis(50);
          if (this.answers.removeFirst() instanceof Integer purged) {
            return purged;
          }
          throw StoreException.passing("away", null);
        };
    return new Purge(history, "r", Duration.ofDays(30), Ticker.of(() -> now), () -> 0);
  }

  @Test
  void takes_a_tenth_of_the_time_while_there_is_more() {
    Purge purge = purge(500, 500);

    assertThat(purge.step()).isEqualTo(Duration.ofMillis(450));
    assertThat(purge.step()).isEqualTo(Duration.ofMillis(450));
  }

  @Test
  void rests_for_half_a_minute_at_least_once_nothing_is_left() {
    Purge purge = purge(499, 0);

    assertThat(purge.step()).isEqualTo(Duration.ofSeconds(30));
    assertThat(purge.step()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void goes_on_after_the_store_has_refused() {
    Purge purge = purge("refused", 500);

    assertThat(purge.step()).isEqualTo(Duration.ofSeconds(30));
    assertThat(purge.step()).isEqualTo(Duration.ofMillis(450));
  }
}
