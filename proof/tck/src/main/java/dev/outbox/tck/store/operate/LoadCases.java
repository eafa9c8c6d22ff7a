package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Many writers, several relays: each message once, each key in order. */
public abstract class LoadCases extends StoreCases {
  protected LoadCases(Opener opener) {
    super(opener);
  }

  private static final int KEYS_OF_A_WRITER = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(32);
  }

  @Test
  void messages_of_eight_writers_leave_once_through_two_relays() throws Exception {
    run(new Load(8, Dose.of(600, 2_500), 2, 0, 0), seeded("8 writers, 2 relays"));
  }

  @Test
  void keys_keep_their_order_through_failures_and_changing_owners() throws Exception {
    run(new Load(4, Dose.of(300, 1_000), 4, 20, 10), seeded("4 writers, 4 relays, failures"));
  }

  /**
   * Of a hundred publishes {@code failures} fail; of a hundred steps of a relay {@code releases}
   * give back its lanes.
   */
  private record Load(int writers, int each, int relays, int failures, int releases) {
    int total() {
      return writers * each;
    }
  }

  private void run(Load load, Random random) throws Exception {
    long deadlocks = environment().deadlocks();
    List<Envelope> arrived = Collections.synchronizedList(new ArrayList<>());
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    BooleanSupplier done = () -> arrived.size() >= load.total() || System.nanoTime() > deadline;
    List<PlainRelay> relays = new ArrayList<>();
    List<Callable<Integer>> crew = new ArrayList<>();
    for (int writer = 0; writer < load.writers; writer++) {
      int number = writer;
      Random dice = new Random(random.nextLong());
      crew.add(() -> write(number, load.each, dice));
    }
    for (int number = 0; number < load.relays; number++) {
      Random dice = new Random(random.nextLong());
      PlainRelay relay = relay(load, "relay " + number, dice, arrived);
      relays.add(relay);
      BooleanSupplier tired = () -> dice.nextInt(100) < load.releases;
      crew.add(() -> relay.drainUntil(done, tired).missing());
    }
    Crew.together(crew);
    assertThat(arrived).hasSize(load.total());
    assertThat(arrived.stream().map(Envelope::id).distinct()).hasSize(load.total());
    assertInOrder(arrived);
    assertThat(relays).allMatch(relay -> relay.missing() == 0 && relay.fenced() == 0);
    LaneStore reader = relay("reader");
    Lane[] lanes = claimAll(reader).stream().map(Lease::lane).toArray(Lane[]::new);
    assertThat(lanes).hasSize(32);
    assertThat(readAll(reader)).isEmpty();
    assertThat(readDue(reader, 10, lanes)).isEmpty();
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  private PlainRelay relay(Load load, String owner, Random dice, List<Envelope> arrived) {
    return new PlainRelay(
        relay(owner),
        32 / load.relays,
        envelope -> dice.nextInt(100) >= load.failures && arrived.add(envelope));
  }

  /**
   * Writes in transactions of different lengths, of which every fifth is rolled back and tried
   * again.
   */
  private int write(int writer, int count, Random dice) throws Exception {
    int[] next = new int[KEYS_OF_A_WRITER];
    try (Connection connection = environment().applications().getConnection()) {
      connection.setAutoCommit(false);
      int written = 0;
      while (written < count) {
        int[] before = next.clone();
        int size = Math.min(count - written, 1 + dice.nextInt(20));
        store().append(connection, messages(writer, size, next, dice));
        if (dice.nextInt(5) == 0) {
          connection.rollback();
          next = before;
        } else {
          connection.commit();
          written += size;
        }
      }
    }
    return count;
  }

  private static List<NewEnvelope> messages(int writer, int size, int[] next, Random dice) {
    List<NewEnvelope> messages = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int key = dice.nextInt(KEYS_OF_A_WRITER);
      String name = writer + "." + key;
      Lane lane = LaneHash.of(new Key(name), 32);
      messages.add(message(lane, name, Integer.toString(next[key]++)));
    }
    return messages;
  }

  private static void assertInOrder(List<Envelope> arrived) {
    Map<Key, Integer> next = new HashMap<>();
    for (Envelope envelope : arrived) {
      Key key = Objects.requireNonNull(envelope.key());
      int expected = next.getOrDefault(key, 0);
      assertThat(envelope.payload().text()).as("key %s", key).isEqualTo(Integer.toString(expected));
      next.put(key, expected + 1);
    }
  }
}
