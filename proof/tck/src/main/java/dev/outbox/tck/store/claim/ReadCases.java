package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ready messages are read in order, without locks. */
public abstract class ReadCases extends StoreCases {
  protected ReadCases(Opener opener) {
    super(opener);
  }

  @Test
  void messages_are_read_in_id_order_above_the_cursor_up_to_its_limit() throws Exception {
    commit(numbered("k", 10));
    LaneStore relay = relay("a");
    List<StoredEnvelope> all = read(relay, LANE);
    assertThat(ids(all)).isSorted().doesNotHaveDuplicates();
    long third = all.get(2).id();
    List<StoredEnvelope> part = read(relay, new LaneStore.Cursor(LANE, third, 4));
    assertThat(ids(part)).isEqualTo(ids(all.subList(3, 7)));
  }

  @Test
  void every_lane_has_its_own_cursor_and_limit() throws Exception {
    for (int i = 0; i < 10; i++) {
      for (int lane = 0; lane < 4; lane++) {
        commit(message(new Lane(lane), "k", lane + "." + i));
      }
    }
    LaneStore relay = relay("a");
    long fifth = read(relay, OTHER).get(4).id();
    List<StoredEnvelope> part =
        read(
            relay,
            new LaneStore.Cursor(LANE, 0, 2),
            new LaneStore.Cursor(OTHER, fifth, 3),
            new LaneStore.Cursor(new Lane(3), 0, 1));
    assertThat(texts(part)).containsExactlyInAnyOrder("0.0", "0.1", "1.5", "1.6", "1.7", "3.0");
    assertThat(texts(part))
        .containsSubsequence("1.5", "1.6", "1.7")
        .containsSubsequence("0.0", "0.1");
  }

  @Test
  void a_late_commit_below_the_floor_is_seen_from_the_start_only() throws Exception {
    Connection late = begin();
    store().append(late, List.of(keyed("late", "late")));
    commit(keyed("k", "early"));
    LaneStore relay = relay("a");
    List<StoredEnvelope> early = read(relay, LANE);
    assertThat(texts(early)).containsExactly("early");
    long floor = early.get(0).id();
    Lease lease = claimFirst(relay);
    settled(settle(relay, new Settlement(lease, floor, deliver(early), Settlement.After.RENEW)));
    late.commit();
    assertThat(read(relay, new LaneStore.Cursor(LANE, floor, 10))).isEmpty();
    assertThat(texts(read(relay, LANE))).containsExactly("late");
  }

  @Test
  void ids_are_taken_before_the_commit() throws Exception {
    Connection first = begin();
    store().append(first, List.of(keyed("a", "first")));
    commit(keyed("b", "second"));
    first.commit();
    assertThat(texts(read(relay("a"), LANE))).containsExactly("first", "second");
  }

  @Test
  void a_read_leaves_everything_where_it_is() throws Exception {
    commit(numbered("k", 3));
    LaneStore relay = relay("a");
    assertThat(ids(read(relay, LANE))).isEqualTo(ids(read(relay, LANE)));
    assertThat(ids(read(relay("b"), LANE))).hasSize(3);
  }

  @Test
  void an_expired_message_comes_with_its_defect() throws Exception {
    Instant past = store().now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);
    Instant future = past.plus(Duration.ofHours(1));
    commit(
        Sample.ready(LANE, Sample.expiring("past", past)),
        Sample.ready(LANE, Sample.expiring("future", future)),
        keyed("k", "ever"));
    List<StoredEnvelope> stored = read(relay("a"), LANE);
    assertThat(texts(stored)).containsExactly("past", "future", "ever");
    assertThat(stored.get(0).defect())
        .extracting(StoredEnvelope.Defect::reason)
        .isEqualTo(Reason.EXPIRED);
    assertThat(stored.get(1).defect()).isNull();
    assertThat(stored.get(2).defect()).isNull();
  }

  @Test
  void a_parked_message_expires_too() throws Exception {
    Instant past = store().now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);
    commit(Sample.ready(LANE, Sample.expiring("past", past)));
    LaneStore relay = relay("a");
    Lease lease = claimFirst(relay);
    settle(relay, lease, fail(read(relay, LANE).get(0), Duration.ZERO));
    assertThat(readDue(relay).get(0).defect())
        .extracting(StoredEnvelope.Defect::reason)
        .isEqualTo(Reason.EXPIRED);
  }
}
