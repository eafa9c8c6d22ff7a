package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.Purged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArchivePurgeTest {
  private static final Instant FIRST = Instant.parse("2029-01-01T00:00:00Z");

  private final Deque<Object> answers = new ArrayDeque<>();
  private final List<Instant> begins = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  /** An archive that takes 50 ms for each batch, which ends a day after the one before. */
  private ArchivePurge purge(Object... answers) {
    this.answers.addAll(List.of(answers));
    ArchivePurge.History history =
        (retention, from, atMost) -> {
          assertThat(retention).isEqualTo(Duration.ofDays(30));
          assertThat(atMost).isEqualTo(500);
          now = now.plusMillis(50);
          begins.add(from);
          Object answer = this.answers.removeFirst();
          if (answer instanceof Integer purged) {
            return new Purged(purged, FIRST.plus(Duration.ofDays(begins.size())));
          }
          throw (RuntimeException) answer;
        };
    return new ArchivePurge(history, "r", Duration.ofDays(30), Ticker.of(() -> now), () -> 0);
  }

  @Test
  void takes_a_tenth_of_the_time_while_there_is_more() {
    // of a table in partitions a batch may delete more than it was to
    ArchivePurge archivePurge = purge(500, 501);

    assertThat(archivePurge.step()).isEqualTo(Duration.ofMillis(450));
    assertThat(archivePurge.step()).isEqualTo(Duration.ofMillis(450));
  }

  @Test
  void rests_for_half_a_minute_at_least_once_nothing_is_left() {
    ArchivePurge archivePurge = purge(499, 0);

    assertThat(archivePurge.step()).isEqualTo(Duration.ofSeconds(30));
    assertThat(archivePurge.step()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void begins_where_it_ended_and_once_an_hour_at_the_start() {
    ArchivePurge archivePurge = purge(500, 7, 0, 0, 0);

    archivePurge.step();
    archivePurge.step();
    now = now.plus(Duration.ofMinutes(59));
    archivePurge.step();
    now = now.plus(Duration.ofMinutes(1));
    archivePurge.step();
    archivePurge.step();

    assertThat(begins)
        .containsExactly(
            Instant.EPOCH,
            FIRST.plus(Duration.ofDays(1)),
            FIRST.plus(Duration.ofDays(2)),
            Instant.EPOCH,
            FIRST.plus(Duration.ofDays(4)));
  }

  @Test
  void goes_on_after_the_store_has_refused_from_where_it_was() {
    ArchivePurge archivePurge = purge(500, StoreException.passing("down", null), 500);

    archivePurge.step();
    assertThat(archivePurge.step()).isEqualTo(Duration.ofMillis(750));
    assertThat(archivePurge.step()).isEqualTo(Duration.ofMillis(450));
    assertThat(begins.get(2)).isEqualTo(begins.get(1));
  }

  @Test
  void tries_again_after_waits_that_grow_to_a_minute_whatever_was_thrown() {
    Object[] failures = new Object[9];
    for (int i = 0; i < failures.length; i++) {
      failures[i] =
          i % 2 == 0 ? new IllegalStateException("bug") : StoreException.lasting("", null);
    }
    ArchivePurge archivePurge = purge(failures);
    List<Duration> rests = new ArrayList<>();

    for (int i = 0; i < failures.length; i++) {
      rests.add(archivePurge.step());
    }

    assertThat(rests).startsWith(Duration.ofMillis(750), Duration.ofMillis(1500));
    assertThat(rests)
        .endsWith(
            Duration.ofSeconds(24),
            Duration.ofSeconds(45),
            Duration.ofSeconds(45),
            Duration.ofSeconds(45));
  }

  @Test
  void says_for_how_long_it_has_failed_until_it_goes_well() {
    ArchivePurge archivePurge =
        purge(new IllegalStateException("bug"), new IllegalStateException("bug"), 0);
    assertThat(archivePurge.failing()).isNull();

    archivePurge.step();
    now = now.plusSeconds(10);
    archivePurge.step();
    assertThat(archivePurge.failing()).isEqualTo(Duration.ofMillis(10_050));

    archivePurge.step();
    assertThat(archivePurge.failing()).isNull();
  }
}
