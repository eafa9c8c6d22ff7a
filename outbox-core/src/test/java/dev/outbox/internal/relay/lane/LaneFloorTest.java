package dev.outbox.internal.relay.lane;

import static dev.outbox.internal.relay.Samples.ready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.Visible;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LaneFloorTest {
  private static final long ALL = Long.MAX_VALUE;

  private final LaneFloor floor = new LaneFloor(10);

  @Test
  void begins_where_its_last_owner_left_it() {
    assertThat(floor.get()).isEqualTo(10);
    assertThat(floor.cursor()).isEqualTo(10);
  }

  @Test
  void rises_to_what_was_read_once_its_end_is_written_and_not_before() {
    read(stored(11, 15), ALL);
    assertThat(floor.get()).isEqualTo(10);

    floor.settled(null);
    assertThat(floor.get()).isEqualTo(15);
  }

  @Test
  void rises_no_higher_than_what_was_surely_visible_when_the_read_began() {
    read(stored(11, 15), 13);
    floor.settled(null);

    assertThat(floor.get()).isEqualTo(13);
  }

  @Test
  void a_look_begins_above_what_was_read_until_its_end_is_written() {
    read(stored(11, 15), 13);
    assertThat(floor.lookCursor()).isEqualTo(15);
    assertThat(floor.cursor()).isEqualTo(10);

    floor.settled(null);
    assertThat(floor.lookCursor()).isEqualTo(13);
  }

  @Nested
  class Beside_a_writer_that_is_open_for_long {
    private final Visible seen = new Visible(12, 14);

    @Test
    void reads_begin_above_what_was_settled_and_the_floor_stays() {
      floor.read(stored(11, 13, 15), seen);
      assertThat(floor.cursor()).isEqualTo(10);

      floor.settled(null);
      assertThat(floor.cursor()).isEqualTo(14);
      assertThat(floor.lookCursor()).isEqualTo(14);
      assertThat(floor.get()).isEqualTo(12);
    }

    @Test
    void reads_begin_no_higher_than_below_what_was_left() {
      floor.read(stored(11, 13, 14), seen);
      floor.settled(13L);

      assertThat(floor.cursor()).isEqualTo(12);
    }

    @Test
    void reads_begin_at_the_floor_again_once_it_has_ended() {
      floor.read(stored(11, 13), seen);
      floor.settled(null);
      floor.read(stored(15), new Visible(12, 15));
      floor.lowerClear(0);

      assertThat(floor.cursor()).isEqualTo(12);
      floor.settled(null);
      assertThat(floor.cursor()).isEqualTo(12);
    }

    @Test
    void the_first_read_from_there_may_have_much_to_wade_through() {
      floor.read(stored(11, 13), seen);
      floor.settled(null);
      assertThat(floor.isLow()).isFalse();

      floor.lowerClear(0);
      floor.lowerClear(0);
      assertThat(floor.isLow()).isTrue();
      floor.read(List.of(), seen);
      assertThat(floor.isLow()).isFalse();
    }

    @Test
    void reads_begin_where_they_did_before_the_one_was_known_that_has_ended() {
      floor.read(stored(11, 13, 14), new Visible(12, 13));
      floor.settled(null);
      floor.read(stored(14, 20), new Visible(12, 20));
      floor.lowerClear(13);
      floor.settled(null);

      assertThat(floor.cursor()).isEqualTo(13);
      assertThat(floor.isLow()).isFalse();
    }

    @Test
    void an_empty_lane_is_clear_as_far_as_that_can_be_seen() {
      floor.empty(seen);

      assertThat(floor.cursor()).isEqualTo(14);
      assertThat(floor.get()).isEqualTo(12);
    }

    @Test
    void a_read_above_what_was_left_says_nothing_of_what_is_below() {
      floor.read(stored(11, 12), seen);
      floor.skip(Set.of("t"));
      floor.settled(11L);
      floor.read(stored(14), seen);
      floor.settled(null);
      floor.left().goBack();

      assertThat(floor.cursor()).isEqualTo(10);
    }

    @Test
    void forgets_it_when_ids_may_have_gone_back() {
      floor.read(stored(11, 13), seen);
      floor.settled(null);
      floor.forget();

      assertThat(floor.cursor()).isZero();
    }
  }

  @Test
  void does_not_fall_while_little_is_surely_visible() {
    read(stored(11, 15), 0);
    floor.settled(null);
    floor.empty(new Visible(3, 3));

    assertThat(floor.get()).isEqualTo(10);
  }

  @Test
  void stays_below_the_first_message_that_was_left() {
    read(stored(11, 13, 15), ALL);
    floor.settled(13L);

    assertThat(floor.get()).isEqualTo(12);
    assertThat(floor.cursor()).isEqualTo(12);
  }

  @Test
  void falls_to_a_message_that_was_found_late_and_left() {
    floor.sweepFrom(0);
    read(stored(4, 15), ALL);
    floor.settled(4L);

    assertThat(floor.get()).isEqualTo(3);
  }

  @Test
  void rises_over_an_empty_lane_to_all_that_is_surely_visible() {
    floor.empty(new Visible(40, 40));
    assertThat(floor.get()).isEqualTo(40);

    floor.empty(new Visible(50, 50));
    assertThat(floor.get()).isEqualTo(50);
  }

  @Test
  void a_read_that_the_store_may_have_cut_short_says_nothing_of_an_empty_lane() {
    assertThat(read(List.of(), 40)).isZero();
    floor.settled(null);

    assertThat(floor.get()).isEqualTo(10);
  }

  @Test
  void the_end_of_a_batch_of_parked_messages_moves_nothing() {
    read(stored(11, 13, 15), ALL);
    floor.settled(13L);

    floor.settled(null);

    assertThat(floor.get()).isEqualTo(12);
  }

  @Test
  void a_sweep_reads_from_the_start_of_the_lane_and_counts_what_was_late() {
    floor.sweepFrom(0);
    assertThat(floor.cursor()).isZero();

    assertThat(read(stored(3, 10, 11), ALL)).isEqualTo(2);

    assertThat(floor.isSweeping()).isFalse();
    floor.settled(null);
    assertThat(floor.cursor()).isEqualTo(11);
  }

  @Test
  void a_sweep_goes_on_until_it_has_come_up_to_the_floor() {
    floor.sweepFrom(0);
    assertThat(read(stored(3, 4), ALL)).isEqualTo(2);
    floor.settled(null);
    assertThat(floor.isSweeping()).isTrue();
    assertThat(floor.cursor()).isZero();
    assertThat(floor.get()).isEqualTo(10);

    floor.empty(new Visible(0, 0));
    assertThat(floor.isSweeping()).isFalse();
    assertThat(floor.cursor()).isEqualTo(10);
  }

  @Test
  void a_sweep_ends_at_a_message_that_was_left_in_its_way() {
    floor.sweepFrom(0);
    read(stored(3, 4), ALL);
    floor.settled(3L);

    read(stored(3, 4), ALL);

    assertThat(floor.isSweeping()).isFalse();
    assertThat(floor.cursor()).isEqualTo(2);
  }

  @Test
  void without_a_sweep_nothing_is_late() {
    assertThat(read(stored(11, 12), ALL)).isZero();
  }

  @Test
  void a_read_past_held_topics_lifts_a_mark_of_its_own_and_not_the_floor() {
    floor.readPast(stored(13, 15), 14);
    assertThat(floor.cursorPast()).isEqualTo(10);

    floor.settled(null);

    assertThat(floor.cursorPast()).isEqualTo(14);
    assertThat(floor.cursor()).isEqualTo(10);
    assertThat(floor.get()).isEqualTo(10);
  }

  @Test
  void reads_past_held_topics_begin_below_what_was_left() {
    floor.emptyPast(30);
    floor.readPast(stored(31, 35), ALL);
    floor.settled(35L);
    assertThat(floor.cursorPast()).isEqualTo(34);

    read(stored(11, 12), ALL);
    floor.settled(12L);
    assertThat(floor.cursorPast()).isEqualTo(11);
    assertThat(floor.cursor()).isEqualTo(11);
  }

  @Test
  void reads_past_other_topics_begin_at_the_floor() {
    floor.readPast(stored(31, 35), ALL);
    floor.passNothing();
    floor.settled(null);

    assertThat(floor.cursorPast()).isEqualTo(10);
  }

  @Test
  void the_floor_rises_above_what_was_passed_over_once_that_is_moved() {
    floor.readPast(stored(31, 35), ALL);
    floor.settled(null);
    read(stored(11, 40), ALL);
    floor.settled(null);

    assertThat(floor.get()).isEqualTo(40);
    assertThat(floor.cursorPast()).isEqualTo(40);
  }

  @Test
  void what_one_kind_of_read_has_reached_lifts_no_mark_of_the_other() {
    floor.readPast(stored(31, 35), ALL);
    read(stored(11, 12), ALL);
    floor.settled(null);
    assertThat(floor.cursorPast()).isEqualTo(12);

    read(stored(13, 15), ALL);
    floor.readPast(stored(31, 35), ALL);
    floor.settled(null);
    assertThat(floor.get()).isEqualTo(12);
  }

  @Test
  void a_read_is_low_in_a_sweep_and_from_the_start_of_a_lane() {
    assertThat(floor.isLow()).isFalse();
    assertThat(new LaneFloor(0).isLow()).isTrue();

    floor.sweepFrom(5);
    assertThat(floor.isLow()).isTrue();
  }

  @Test
  void a_sweep_goes_on_at_a_message_that_is_just_at_the_floor() {
    floor.sweepFrom(0);
    read(stored(3, 10), ALL);

    assertThat(floor.isSweeping()).isTrue();
  }

  @Test
  void knows_whether_the_last_read_began_above_what_was_left() {
    read(stored(11, 13), ALL);
    assertThat(floor.hasReadAbove()).isFalse();
    floor.skip(Set.of());
    read(stored(14, 15), ALL);
    assertThat(floor.hasReadAbove()).isTrue();

    floor.sweepFrom(0);
    read(stored(3, 16), ALL);
    assertThat(floor.hasReadAbove()).isFalse();
  }

  @Test
  void reads_past_held_topics_begin_anew_when_ids_may_have_gone_back() {
    floor.emptyPast(30);
    floor.forget();

    assertThat(floor.cursorPast()).isZero();
  }

  @Test
  void forgets_everything_when_ids_may_have_gone_back() {
    read(stored(11, 15), ALL);
    floor.forget();
    assertThat(floor.cursor()).isZero();

    floor.settled(null);
    assertThat(floor.get()).isZero();
  }

  @Test
  void reads_begin_above_what_is_left_for_now_and_the_floor_stays_below_it() {
    read(stored(11, 13), ALL);
    floor.settled(11L);
    floor.skip(Set.of());
    assertThat(floor.cursor()).isEqualTo(13);

    read(stored(14, 15), ALL);
    floor.settled(null);
    floor.empty(new Visible(99, 99));

    assertThat(floor.get()).isEqualTo(10);
    assertThat(floor.left().goBack()).isTrue();
    assertThat(floor.left().goBack()).isFalse();
    assertThat(floor.cursor()).isEqualTo(10);
  }

  @Test
  void what_is_left_above_the_safe_id_is_read_again_once_nothing_can_commit_below_it() {
    read(stored(11, 13, 17), 14);
    floor.settled(11L);
    floor.skip(Set.of());

    assertThat(floor.cursor()).isEqualTo(14);
    assertThat(floor.left().isWaiting(16)).isTrue();
    assertThat(floor.left().isWaiting(17)).isFalse();
    floor.left().goBack();
    assertThat(floor.left().isWaiting(14)).isFalse();
  }

  @Test
  void a_sweep_begins_at_the_start_of_the_lane_whatever_is_left_for_now() {
    read(stored(11, 13), ALL);
    floor.skip(Set.of());
    floor.sweepFrom(0);

    assertThat(floor.cursor()).isZero();
  }

  /** A read from the cursor; no writer is known to stay open for long. */
  private int read(List<StoredEnvelope> read, long safe) {
    return floor.read(read, new Visible(safe, safe));
  }

  private static List<StoredEnvelope> stored(long... ids) {
    List<StoredEnvelope> stored = new ArrayList<>();
    for (long id : ids) {
      stored.add(ready(id, null));
    }
    return stored;
  }
}
