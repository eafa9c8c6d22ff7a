package dev.outbox.testkit.contract;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Lane;
import dev.outbox.message.MessageId;
import dev.outbox.store.DeathReason;
import dev.outbox.store.Fate;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Outcome;
import dev.outbox.store.Outgoing;
import dev.outbox.store.Parking;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What all themes of the store contract share: an open store, and short words for what the cases do
 * with it.
 */
@Timeout(value = 3, unit = MINUTES)
abstract class StoreCases {
  static final Duration LEASE = Duration.ofMinutes(1);
  static final Duration SOON = Duration.ofSeconds(10);
  static final long MANY_BYTES = 1L << 40;
  static final Lane LANE = new Lane(0);
  static final Lane OTHER = new Lane(1);

  final OutboxStoreContract contract;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private StoreEnvironment environment;

  @SuppressWarnings("NullAway.Init")
  StoreCases(OutboxStoreContract contract) {
    this.contract = contract;
  }

  StoreSetting setting() {
    return StoreSetting.lanes(4);
  }

  @BeforeEach
  void openStore() throws Exception {
    environment = contract.open(setting());
    opened.push(environment);
  }

  @AfterEach
  void closeStore() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  StoreEnvironment environment() {
    return environment;
  }

  OutboxStore store() {
    return environment.store();
  }

  <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  void passTime(Duration step) throws Exception {
    environment.passTime(step);
  }

  // Applications.

  /** An open application transaction. */
  Connection begin() throws Exception {
    return begin(Connection.TRANSACTION_READ_COMMITTED);
  }

  Connection begin(int isolation) throws Exception {
    Connection connection = closing(environment.applications().getConnection());
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Appends the messages in one call in a transaction of its own and commits. */
  void commit(Outgoing... messages) throws Exception {
    commit(Arrays.asList(messages));
  }

  void commit(List<Outgoing> messages) throws Exception {
    try (Connection connection = environment.applications().getConnection()) {
      connection.setAutoCommit(false);
      store().append(connection, messages);
      connection.commit();
    }
  }

  // Relays.

  LaneStore relay(String owner) {
    return closing(store().lanes(owner, LEASE));
  }

  List<Lease> claimAll(LaneStore relay) {
    return relay.claim(store().layout().lanes()).stream().map(LaneClaim::lease).toList();
  }

  /** Claims all lanes that are free and gives the lease of the first. */
  static Lease claimFirst(LaneStore relay) {
    return relay.claim(Layout.MAX_LANES).stream()
        .map(LaneClaim::lease)
        .min(Comparator.comparing(Lease::lane))
        .orElseThrow();
  }

  /** Claims one lane; which of the free ones it gets is the store's affair. */
  static Lease claimOne(LaneStore relay) {
    return relay.claim(1).get(0).lease();
  }

  List<Stored> readAll(LaneStore relay) {
    return relay.read(
        IntStream.range(0, store().layout().lanes())
            .mapToObj(lane -> new LaneStore.Cursor(new Lane(lane), 0, 20_000))
            .toList(),
        MANY_BYTES);
  }

  static List<Stored> read(LaneStore relay, Lane lane) {
    return read(relay, new LaneStore.Cursor(lane, 0, 20_000));
  }

  static List<Stored> read(LaneStore relay, LaneStore.Cursor... cursors) {
    return relay.read(List.of(cursors), MANY_BYTES);
  }

  static List<Stored> readDue(LaneStore relay) {
    return readDue(relay, 1000, LANE);
  }

  static List<Stored> readDue(LaneStore relay, int perLane, Lane... lanes) {
    return relay.readDue(cursors(perLane, lanes), MANY_BYTES, Set.of());
  }

  static List<LaneStore.Cursor> cursors(int perLane, Lane... lanes) {
    return Arrays.stream(lanes).map(lane -> new LaneStore.Cursor(lane, 0, perLane)).toList();
  }

  static Outcome settle(LaneStore relay, Lease lease, Fate... fates) {
    return settle(relay, lease, Arrays.asList(fates));
  }

  static Outcome settle(LaneStore relay, Lease lease, List<Fate> fates) {
    return settle(relay, new Settlement(lease, lease.floor(), fates, Settlement.After.RENEW));
  }

  static Outcome settle(LaneStore relay, Settlement settlement) {
    Map<Lane, Outcome> outcomes = relay.settle(List.of(settlement));
    assertThat(outcomes).containsOnlyKeys(settlement.lease().lane());
    return outcomes.values().iterator().next();
  }

  static void release(LaneStore relay, Lease lease) {
    settle(relay, new Settlement(lease, lease.floor(), List.of(), Settlement.After.RELEASE));
  }

  static Outcome.Settled settled(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Settled.class);
    return (Outcome.Settled) outcome;
  }

  // Fates.

  static Fate deliver(Stored stored) {
    return new Fate.Deliver(stored);
  }

  static List<Fate> deliver(List<Stored> messages) {
    return messages.stream().map(StoreCases::deliver).toList();
  }

  /** Its first attempt failed. */
  static Fate fail(Stored stored, Duration rest) {
    return fail(stored, 1, rest);
  }

  static Fate fail(Stored stored, int attempts, Duration rest) {
    return new Fate.Park(
        stored, HoldReason.FAILED, attempts, rest, "error " + attempts, "history " + attempts);
  }

  static Fate follow(Stored stored) {
    return new Fate.Park(stored, HoldReason.FOLLOWER, 0, null, null, "");
  }

  /** It is held with its topic; what is known of it is kept. */
  static Fate hold(Stored stored) {
    Parking before = stored.parking() == null ? Parking.NONE : stored.parking();
    return new Fate.Park(stored, HoldReason.TOPIC, before.attempts(), null, null, before.history());
  }

  static Fate bury(Stored stored) {
    return new Fate.Bury(
        stored, DeathReason.REJECTED, "no such account", 2, "first\nsecond", false);
  }

  /** It dies in a strict topic. */
  static Fate buryStrictly(Stored stored) {
    return new Fate.Bury(stored, DeathReason.REJECTED, "no", 2, "first\nsecond", true);
  }

  // Answers.

  static List<String> texts(List<Stored> messages) {
    return messages.stream().map(stored -> stored.envelope().payload().text()).toList();
  }

  static List<Long> ids(List<Stored> messages) {
    return messages.stream().map(Stored::id).toList();
  }

  static List<MessageId> messageIds(List<Stored> messages) {
    return messages.stream().map(Stored::envelope).map(Envelope::id).toList();
  }

  static Parking requireParking(Stored stored) {
    assertThat(stored.isParked()).isTrue();
    return Objects.requireNonNull(stored.parking());
  }

  /** A source of random numbers whose seed is printed; {@code -Doutbox.seed} sets it. */
  static Random seeded(String name) {
    long seed = Long.getLong("outbox.seed", System.nanoTime());
    System.out.printf("%s: -Doutbox.seed=%d%n", name, seed);
    return new Random(seed);
  }
}
