package dev.outbox.internal.relay.read;

import static dev.outbox.internal.relay.Samples.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.ScriptedLanes;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.spi.lane.OpenTransactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class VisibleIdsTest {
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final ScriptedLanes lanes = new ScriptedLanes(1);
  private Instant now = Samples.START;
  private final List<Long> ended = new ArrayList<>();
  private final VisibleIds visibleIds =
      new VisibleIds(lanes, GRACE, Ticker.of(() -> now), ended::add);

  @Nested
  class Beside_a_writer_that_is_open_for_long {
    @BeforeEach
    void aWriterOpens() {
      lanes.openToReads = Set.of("A", "B", "C");
      see(10, 0, "A");
    }

    private void see(long id, int milli, String... open) {
      visibleIds.saw(id, millis(milli));
      look(milli, open);
    }

    @Test
    void what_came_before_is_clear_of_others_after_a_second() {
      see(20, 900, "A");
      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 0));

      see(30, 1000, "A");
      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 30));
      see(40, 1100, "A", "B");
      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 30));
      see(50, 1200, "A", "C");
      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 40));
    }

    @Test
    void reads_count_as_long_as_the_store_says_that_it_was_open_to_them() {
      see(30, 1000, "A");
      assertThat(visibleIds.wasClear()).isTrue();

      lanes.openToReads = Set.of();
      assertThat(visibleIds.wasClear()).isFalse();
      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 0));
      assertThat(ended).containsExactly(0L);
      assertThat(visibleIds.wasClear()).isTrue();
    }

    @Test
    void its_end_is_noticed_without_a_read() {
      see(30, 1000, "A");
      look(1100);

      assertThat(ended).containsExactly(0L);
      assertThat(visibleIds.visible()).isEqualTo(new Visible(30, 30));
    }

    @Test
    void a_second_one_joins_it_and_the_end_of_either_is_noticed() {
      see(20, 1000, "A");
      see(30, 1100, "A", "B");
      see(40, 2000, "A", "B");
      assertThat(visibleIds.visible().clear()).isEqualTo(20);
      see(50, 2100, "A", "B");
      assertThat(visibleIds.visible().clear()).isEqualTo(50);

      look(2200, "B");
      assertThat(ended).containsExactly(0L);
      assertThat(visibleIds.visible()).isEqualTo(new Visible(10, 10));
    }

    @Test
    void the_end_of_a_second_one_takes_back_what_it_was_left_to_only() {
      see(20, 1000, "A");
      see(30, 1100, "A", "B");
      see(50, 2100, "A", "B");
      assertThat(visibleIds.visible().clear()).isEqualTo(50);

      lanes.openToReads = Set.of("A");
      assertThat(visibleIds.wasClear()).isFalse();
      assertThat(ended).containsExactly(20L);
      assertThat(visibleIds.visible().clear()).isEqualTo(20);

      look(2200, "A");
      assertThat(visibleIds.visible().clear()).isEqualTo(50);
    }

    @Test
    void nothing_is_clear_where_the_store_cannot_say_that_it_was_open() {
      lanes.openToReads = Set.of();
      see(30, 1000, "A");
      see(40, 5000, "A");

      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 0));
      assertThat(ended).isEmpty();
    }

    @Test
    void nothing_is_clear_where_the_answer_lags() {
      look(1000, new OpenTransactions.Known(Set.of("A"), Duration.ofMillis(1)));

      assertThat(visibleIds.visible()).isEqualTo(new Visible(0, 0));
    }

    @Test
    void it_counts_as_over_when_nobody_tells_any_more() {
      see(30, 1000, "A");
      look(1100, new OpenTransactions.Unknown());

      assertThat(ended).containsExactly(0L);
      assertThat(visibleIds.visible().clear()).isEqualTo(visibleIds.safe());
    }
  }

  @Nested
  class Where_the_database_tells_who_writes {
    @Test
    void an_id_is_safe_at_once_when_nobody_writes() {
      visibleIds.saw(10, millis(0));
      look(0);

      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void an_id_is_safe_once_everyone_who_wrote_when_it_was_seen_has_ended() {
      visibleIds.saw(10, millis(0));
      look(0, "A", "B");
      assertThat(visibleIds.safe()).isZero();
      look(100, "A");
      assertThat(visibleIds.safe()).isZero();

      look(200);
      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void writers_that_overlap_for_ever_do_not_hold_it_back_for_ever() {
      visibleIds.saw(10, millis(0));
      look(0, "A");
      visibleIds.saw(20, millis(90));
      look(100, "A", "B");
      assertThat(visibleIds.safe()).isZero();

      look(200, "B", "C");
      assertThat(visibleIds.safe()).isEqualTo(10);
      look(300, "C", "D");
      assertThat(visibleIds.safe()).isEqualTo(10);
      look(400, "D", "E");
      assertThat(visibleIds.safe()).isEqualTo(20);
    }

    @Test
    void those_that_begin_after_an_id_was_seen_do_not_count() {
      visibleIds.saw(10, millis(0));
      look(0, "A");

      look(100, "B", "C", "D");

      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void one_that_ends_and_whose_name_comes_again_is_waited_for_again_and_nothing_is_lost() {
      visibleIds.saw(10, millis(0));
      look(0, "A");
      look(100, "A");
      assertThat(visibleIds.safe()).isZero();

      look(200, "B");
      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void a_long_transaction_holds_it_back_and_only_until_it_ends() {
      visibleIds.saw(10, millis(0));
      look(0, "long");
      for (int milli = 100; milli < 60_000; milli += 100) {
        visibleIds.saw(10 + milli, millis(milli));
        look(milli, "long", "short" + milli);
      }
      assertThat(visibleIds.safe()).isZero();

      look(60_000);
      assertThat(visibleIds.safe()).isEqualTo(10 + 59_900);
    }

    @Test
    void all_up_to_the_newest_message_is_safe_before_it_is_read() {
      lanes.newest = 1000;
      visibleIds.saw(10, millis(0));
      look(0);

      assertThat(visibleIds.safe()).isEqualTo(1000);
    }

    @Test
    void a_search_for_the_newest_message_that_is_given_up_stops_nothing_and_waits() {
      int[] asked = {0};
      lanes.askingNewest =
          () -> {
            asked[0]++;
            now = now.plusSeconds(10);
            throw StoreException.slow("gave up", null);
          };
      visibleIds.saw(10, millis(0));
      look(0);
      assertThat(visibleIds.safe()).isEqualTo(10);

      for (int i = 0; i < 100; i++) {
        visibleIds.saw(20 + i, millis(10_100 + 100 * i));
        look(10_100 + 100 * i);
      }
      assertThat(asked[0]).isEqualTo(1);
      assertThat(visibleIds.safe()).isGreaterThan(100);
    }

    @Test
    void the_newest_message_is_safe_once_everyone_who_wrote_then_has_ended() {
      lanes.newest = 1000;
      visibleIds.saw(10, millis(0));
      look(0, "A");
      lanes.newest = 2000;
      look(100, "A", "B");
      assertThat(visibleIds.safe()).isZero();

      look(200, "B");
      assertThat(visibleIds.safe()).isEqualTo(1000);
    }

    @Test
    void where_the_list_lags_the_newest_message_waits_for_the_lag_from_the_next_look_on() {
      OpenTransactions lagging = new OpenTransactions.Known(Set.of(), Duration.ofMillis(200));
      lanes.newest = 1000;
      visibleIds.saw(10, millis(0));
      look(0, lagging);
      look(100, lagging);
      look(299, lagging);
      assertThat(visibleIds.safe()).isEqualTo(10);

      look(400, lagging);
      assertThat(visibleIds.safe()).isEqualTo(1000);
    }

    @Test
    void an_id_is_not_safe_before_the_lag_of_what_the_database_tells() {
      Duration lag = Duration.ofMillis(200);
      visibleIds.saw(10, millis(0));
      look(199, new OpenTransactions.Known(Set.of(), lag));
      assertThat(visibleIds.safe()).isZero();

      look(300, new OpenTransactions.Known(Set.of(), lag));
      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void an_id_seen_within_the_lag_waits_for_the_next_sighting() {
      Duration lag = Duration.ofMillis(200);
      visibleIds.saw(10, millis(0));
      visibleIds.saw(20, millis(150));
      look(250, new OpenTransactions.Known(Set.of(), lag));
      assertThat(visibleIds.safe()).isEqualTo(10);

      look(350, new OpenTransactions.Known(Set.of(), lag));
      assertThat(visibleIds.safe()).isEqualTo(20);
    }
  }

  @Nested
  class Where_it_does_not_tell {
    private final OpenTransactions unknown = new OpenTransactions.Unknown();

    @Test
    void an_id_is_safe_after_the_grace() {
      visibleIds.saw(10, millis(0));
      look(1999, unknown);
      assertThat(visibleIds.safe()).isZero();

      look(2100, unknown);
      assertThat(visibleIds.safe()).isEqualTo(10);
    }

    @Test
    void every_id_has_a_grace_of_its_own() {
      visibleIds.saw(10, millis(0));
      visibleIds.saw(20, millis(1000));
      visibleIds.saw(30, millis(1500));

      look(3100, unknown);
      assertThat(visibleIds.safe()).isEqualTo(20);
      look(3500, unknown);
      assertThat(visibleIds.safe()).isEqualTo(30);
    }

    @Test
    void the_grace_counts_also_when_it_did_tell_a_moment_ago() {
      visibleIds.saw(10, millis(0));
      look(0, "A");
      visibleIds.saw(20, millis(100));

      look(2200, unknown);

      assertThat(visibleIds.safe()).isEqualTo(20);
    }
  }

  @Test
  void ids_seen_shortly_after_each_other_are_not_taken_for_older_than_they_are() {
    visibleIds.saw(10, millis(0));
    visibleIds.saw(20, millis(1));

    look(2000, new OpenTransactions.Unknown());

    assertThat(visibleIds.safe()).isEqualTo(10);
  }

  @Test
  void a_wall_clock_that_is_set_forward_lets_no_grace_pass() {
    visibleIds.saw(10, millis(0));

    lookAfterAStepOfTheWallClock(new OpenTransactions.Unknown());

    assertThat(visibleIds.safe()).isZero();
  }

  @Test
  void a_wall_clock_that_is_set_forward_makes_no_list_of_writers_current() {
    visibleIds.saw(10, millis(0));

    lookAfterAStepOfTheWallClock(new OpenTransactions.Known(Set.of(), Duration.ofMillis(200)));

    assertThat(visibleIds.safe()).isZero();
  }

  private void lookAfterAStepOfTheWallClock(OpenTransactions told) {
    lanes.openTransactions = told;
    visibleIds.look(
        new Ticker.Moment(millis(100).nanos(), millis(100).wall().plus(Duration.ofDays(1))));
  }

  @Test
  void nobody_is_asked_when_there_is_nothing_to_learn() {
    look(0);
    look(1000);
    assertThat(lanes.asked("writers")).isEmpty();

    visibleIds.saw(10, millis(2000));
    look(2000);
    look(3000);
    assertThat(lanes.asked("writers")).hasSize(1);
  }

  @Test
  void it_is_asked_ten_times_a_second_at_most() {
    for (int milli = 0; milli <= 1000; milli++) {
      visibleIds.saw(milli, millis(milli));
      look(milli, "A");
    }

    assertThat(lanes.asked("writers")).hasSize(10);
  }

  @Test
  void before_reads_of_a_few_messages_it_is_asked_once_a_second() {
    for (int milli = 0; milli < 10_000; milli += 50) {
      visibleIds.lookBeforeRead(millis(milli));
      visibleIds.saw(1 + milli / 50, millis(milli));
    }

    assertThat(lanes.asked("writers")).hasSizeBetween(9, 10);
  }

  @Test
  void before_reads_of_many_messages_it_is_asked_ten_times_a_second() {
    for (int milli = 0; milli < 10_000; milli += 50) {
      visibleIds.lookBeforeRead(millis(milli));
      visibleIds.saw(1 + milli, millis(milli));
    }

    assertThat(lanes.asked("writers")).hasSizeBetween(60, 100);
  }

  @Test
  void it_never_goes_back_but_when_ids_may_have_gone_back() {
    visibleIds.saw(10, millis(0));
    look(0);
    visibleIds.saw(5, millis(200));
    look(200);
    assertThat(visibleIds.safe()).isEqualTo(10);

    visibleIds.forget();
    assertThat(visibleIds.safe()).isZero();
    visibleIds.saw(5, millis(400));
    look(400);
    assertThat(visibleIds.safe()).isEqualTo(5);
  }

  @Test
  void a_sighting_is_forgotten_with_the_rest() {
    visibleIds.saw(10, millis(0));
    look(0, "A");

    visibleIds.forget();
    look(200);

    assertThat(visibleIds.safe()).isZero();
  }

  private void look(int milli, String... open) {
    look(milli, new OpenTransactions.Known(Set.of(open), Duration.ZERO));
  }

  private void look(int milli, OpenTransactions openTransactions) {
    lanes.openTransactions = openTransactions;
    visibleIds.look(millis(milli));
  }

  private static Ticker.Moment millis(int milli) {
    return at(Duration.ofMillis(milli));
  }
}
