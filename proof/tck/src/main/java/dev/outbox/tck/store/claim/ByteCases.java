package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.numbers;
import static dev.outbox.tck.fixture.Sample.sized;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read is bounded in bytes, whatever the sizes of what was written. */
public abstract class ByteCases extends StoreCases {
  private static final int MIB = 1 << 20;

  private LaneStore relay;
  private List<Lease> leases;

  @SuppressWarnings("NullAway.Init")
  protected ByteCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void claimAllLanes() {
    relay = relay("a");
    leases = claimAll(relay).stream().sorted(Comparator.comparing(Lease::lane)).toList();
  }

  private List<StoredEnvelope> read(long bytes) {
    return relay.read(cursors(20_000, LANE), bytes);
  }

  private List<StoredEnvelope> readDue(long bytes) {
    return relay.readDue(cursors(20_000, LANE), bytes, Set.of());
  }

  private void commitSized(int... sizes) throws Exception {
    commit(Arrays.stream(sizes).mapToObj(size -> sized(LANE, "k", size)).toList());
  }

  private static List<Integer> sizes(List<StoredEnvelope> messages) {
    return messages.stream()
        .map(storedEnvelope -> storedEnvelope.envelope().payload().bytes().length)
        .toList();
  }

  private static long total(List<StoredEnvelope> messages) {
    return sizes(messages).stream().mapToLong(size -> size).sum();
  }

  /** Parks all ready messages of lane 0, due at once. */
  private void parkAll() {
    List<Fate> fates = new ArrayList<>();
    for (StoredEnvelope storedEnvelope : read(MANY_BYTES)) {
      fates.add(fates.isEmpty() ? fail(storedEnvelope, Duration.ZERO) : follow(storedEnvelope));
    }
    settled(settle(relay, leases.get(0), fates));
  }

  @Test
  void as_many_are_read_as_fit_to_the_byte() throws Exception {
    commitSized(100, 200, 300, 400);
    assertThat(sizes(read(1000))).containsExactly(100, 200, 300, 400);
    assertThat(sizes(read(999))).containsExactly(100, 200, 300);
    assertThat(sizes(read(600))).containsExactly(100, 200, 300);
    assertThat(sizes(read(599))).containsExactly(100, 200);
    assertThat(sizes(read(100))).containsExactly(100);
  }

  @Test
  void as_many_due_ones_are_read_as_fit_to_the_byte() throws Exception {
    commitSized(100, 200, 300, 400);
    parkAll();
    assertThat(sizes(readDue(1000))).containsExactly(100, 200, 300, 400);
    assertThat(sizes(readDue(999))).containsExactly(100, 200, 300);
    assertThat(sizes(readDue(299))).containsExactly(100);
  }

  @Test
  void a_message_that_is_larger_than_the_bound_is_read_alone() throws Exception {
    commitSized(1000, 10, 2000, 10);
    assertThat(sizes(read(999))).containsExactly(1000);
    assertThat(sizes(read(1))).containsExactly(1000);
    parkAll();
    assertThat(sizes(readDue(999))).containsExactly(1000);
  }

  @Test
  void a_message_that_does_not_fit_is_not_skipped_for_smaller_ones() throws Exception {
    commitSized(100, 5000, 1, 1, 1);
    assertThat(sizes(read(200))).containsExactly(100);
    parkAll();
    assertThat(sizes(readDue(200))).containsExactly(100);
  }

  @Test
  void many_small_messages_do_not_hide_the_size_of_the_large_ones_behind_them() throws Exception {
    commit(IntStream.range(0, 500).mapToObj(i -> sized(LANE, "k", 200)).toList());
    for (int i = 0; i < 12; i++) {
      commitSized(MIB);
    }
    List<StoredEnvelope> first = read(8 * MIB);
    assertThat(first).hasSize(507);
    assertThat(total(first)).isEqualTo(500 * 200 + 7 * MIB);
    long last = first.get(506).id();
    List<StoredEnvelope> rest = relay.read(List.of(new LaneStore.Cursor(LANE, last, 500)), 8 * MIB);
    assertThat(sizes(rest)).containsExactly(MIB, MIB, MIB, MIB, MIB);
  }

  @Test
  void a_few_large_messages_do_not_make_the_small_ones_behind_them_trickle() throws Exception {
    commitSized(MIB, MIB);
    commit(IntStream.range(0, 500).mapToObj(i -> sized(LANE, "k", 200)).toList());
    assertThat(read(8 * MIB)).hasSize(502);
    parkAll();
    assertThat(readDue(8 * MIB)).hasSize(502);
  }

  @Test
  void the_limit_of_a_lane_holds_within_the_bytes() throws Exception {
    commit(Sample.numbered("k", 10));
    assertThat(texts(relay.read(cursors(4, LANE), MANY_BYTES))).isEqualTo(numbers("k", 4));
    parkAll();
    assertThat(texts(relay.readDue(cursors(4, LANE), MANY_BYTES, Set.of())))
        .isEqualTo(numbers("k", 4));
  }

  @Test
  void the_bound_is_that_of_all_lanes_together() throws Exception {
    for (Lease lease : leases) {
      commit(sized(lease.lane(), "k", 400), sized(lease.lane(), "k", 400));
    }
    Lane[] lanes = leases.stream().map(Lease::lane).toArray(Lane[]::new);
    assertThat(relay.read(cursors(100, lanes), 3200)).hasSize(8);
    assertThat(total(relay.read(cursors(100, lanes), 3199))).isBetween(400L, 2800L);
    assertThat(total(relay.read(cursors(100, lanes), 1000))).isBetween(400L, 800L);
    assertThat(relay.read(cursors(100, lanes), 1)).hasSize(1);
  }

  @Test
  void a_table_of_all_sizes_is_read_to_its_end_and_every_lane_in_order() throws Exception {
    Random random = seeded("sizes");
    Map<Lane, List<String>> written = new HashMap<>();
    for (int i = 0; i < 400; i++) {
      Lane lane = new Lane(random.nextInt(4));
      int size = random.nextInt(20) == 0 ? random.nextInt(50_000) : 1 + random.nextInt(300);
      NewEnvelope message = sized(lane, "k" + random.nextInt(5), size);
      commit(message);
      written.computeIfAbsent(lane, any -> new ArrayList<>()).add(name(message));
    }
    assertThat(readToTheEnd(10_000)).isEqualTo(written);
  }

  private static String name(NewEnvelope message) {
    return message.envelope().id().toString();
  }

  private Map<Lane, List<String>> readToTheEnd(long bytes) {
    Map<Lane, List<String>> all = new HashMap<>();
    Map<Lane, Long> after = new HashMap<>();
    List<StoredEnvelope> read;
    do {
      read = relay.read(cursorsAfter(after), bytes);
      assertThat(read.size() <= 1 || total(read) <= bytes).isTrue();
      for (StoredEnvelope storedEnvelope : read) {
        after.put(storedEnvelope.lane(), storedEnvelope.id());
        all.computeIfAbsent(storedEnvelope.lane(), any -> new ArrayList<>())
            .add(storedEnvelope.envelope().id().toString());
      }
    } while (!read.isEmpty());
    return all;
  }

  private List<LaneStore.Cursor> cursorsAfter(Map<Lane, Long> after) {
    return leases.stream()
        .map(Lease::lane)
        .map(lane -> new LaneStore.Cursor(lane, after.getOrDefault(lane, 0L), 50))
        .toList();
  }

  @Test
  void parked_messages_of_all_sizes_are_read_to_their_end_and_every_key_in_order()
      throws Exception {
    Random random = seeded("parked sizes");
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      NewEnvelope message =
          sized(LANE, "k", 1 + random.nextInt(random.nextInt(10) == 0 ? 50_000 : 50));
      commit(message);
      written.add(name(message));
    }
    parkAll();
    List<String> all = new ArrayList<>();
    for (List<StoredEnvelope> due = readDue(10_000); !due.isEmpty(); due = readDue(10_000)) {
      assertThat(due.size() == 1 || total(due) <= 10_000).isTrue();
      due.forEach(storedEnvelope -> all.add(storedEnvelope.envelope().id().toString()));
      settled(settle(relay, leases.get(0), deliver(due)));
    }
    assertThat(all).isEqualTo(written);
  }
}
