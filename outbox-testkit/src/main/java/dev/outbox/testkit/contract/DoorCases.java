package dev.outbox.testkit.contract;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.Outbox;
import dev.outbox.message.Lane;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.store.Claiming;
import dev.outbox.store.DeadLetter;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.RowClaim;
import dev.outbox.store.RowStore;
import dev.outbox.store.Stored;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * What the cases behind the doors share: an open store, an outbox, a broker, relays driven by hand,
 * and a clock that moves with the store's.
 */
@Timeout(value = 2, unit = MINUTES)
abstract class DoorCases {
  static final String TOPIC = "orders.placed";
  static final Duration LEASE = Duration.ofSeconds(15);
  static final Duration RENEWAL = Duration.ofSeconds(5);

  /** How long a failed message rests. */
  static final Duration REST = Duration.ofSeconds(10);

  /** Longer than any pause after an outage. */
  static final Duration PAUSE = Duration.ofSeconds(40);

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Opener opener;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private StoreEnvironment environment;
  private FaultyStore store;
  private Outbox outbox;
  private Ledger ledger;
  private Census before = Census.EMPTY;
  final SettableClock clock = SettableClock.create();
  final InMemoryBroker broker = InMemoryBroker.withClock(clock);
  final Heard heard = new Heard();

  @SuppressWarnings("NullAway.Init")
  DoorCases(Opener opener) {
    this.opener = opener;
  }

  /** Opens an empty store. */
  interface Opener {
    StoreEnvironment open(StoreSetting setting) throws Exception;
  }

  StoreSetting setting() {
    return StoreSetting.lanes(4);
  }

  @BeforeEach
  void openStore() throws Exception {
    environment = closing(opener.open(setting()));
    store = new FaultyStore(environment.store());
    outbox = Outbox.create(store);
    before = Census.of(environment);
    ledger =
        Census.isWithoutSql(environment)
            ? Ledger.ofMessages(outbox, this::left)
            : Ledger.ofTable(environment);
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

  FaultyStore store() {
    return store;
  }

  Outbox outbox() {
    return outbox;
  }

  Ledger ledger() {
    return ledger;
  }

  DeadLetters deadLetters() {
    return DeadLetters.of(store);
  }

  <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Lets time pass for the store and for the relays with the common clock. Whole seconds. */
  void pass(Duration step) throws Exception {
    clock.advance(step);
    environment.passTime(step);
  }

  // Applications.

  static Message message(String key, String text) {
    return Message.to(TOPIC).key(key).text(text);
  }

  static Message unkeyed(String text) {
    return Message.to(TOPIC).text(text);
  }

  /** Messages with one key, numbered from 0. */
  static List<Message> numbered(String key, int count) {
    return numbers(key, count).stream().map(text -> message(key, text)).toList();
  }

  static List<String> numbers(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> key + " " + i).toList();
  }

  /** An open application transaction. */
  Connection begin() throws Exception {
    Connection connection = closing(environment.applications().getConnection());
    connection.setAutoCommit(false);
    return connection;
  }

  List<MessageId> commit(Message... messages) throws Exception {
    return commit(Arrays.asList(messages));
  }

  List<MessageId> commit(List<Message> messages) throws Exception {
    return commit(outbox, messages);
  }

  List<MessageId> commit(Outbox through, List<Message> messages) throws Exception {
    try (Connection connection = environment.applications().getConnection()) {
      connection.setAutoCommit(false);
      List<MessageId> ids = through.enqueue(connection, messages);
      connection.commit();
      return ids;
    }
  }

  // Relays.

  /** A relay by the common clock, whose failed messages rest for {@link #REST}, again and again. */
  ManualRelay.Builder relay(String name, Publisher publisher) {
    return ManualRelay.builder(store, publisher)
        .name(name)
        .clock(clock)
        .lease(LEASE, RENEWAL)
        .retry((attempts, failing) -> Optional.of(REST))
        .listener(heard);
  }

  /** A relay to the broker. */
  ManualRelay started(String name) {
    return started(relay(name, broker.publisher()));
  }

  ManualRelay started(ManualRelay.Builder builder) {
    return closing(builder.build());
  }

  HoldingPublisher holding() {
    return new HoldingPublisher(Ordering.PIPELINED);
  }

  // Answers.

  List<String> texts() {
    return broker.messages().stream().map(Arrival::text).toList();
  }

  List<String> texts(String key) {
    return broker.texts(TOPIC, key);
  }

  List<DeadLetter> dead() {
    return deadLetters().page(0, 1000);
  }

  Census census() throws Exception {
    return Census.of(environment).since(before);
  }

  /** No message stands anywhere. */
  void assertEmpty() throws Exception {
    assertThat(census()).isEqualTo(Census.EMPTY);
    assertThat(broker.repeats()).isEmpty();
  }

  /** The texts of a topic that wait in the store, however far off, found by its own ports. */
  List<String> left(String topic) throws Exception {
    environment.passTime(Ledger.FAR.multipliedBy(2));
    List<Stored> left = store.layout().claiming() == Claiming.ROWS ? leftInRows() : leftInLanes();
    return left.stream()
        .filter(stored -> stored.envelope().topic().equals(topic))
        .map(stored -> stored.envelope().payload().text())
        .toList();
  }

  private List<Stored> leftInRows() {
    try (RowStore rows = store.rows(PATIENCE)) {
      while (rows.promoteDue(1000) > 0) {}
      List<Stored> left = new ArrayList<>();
      try (RowClaim claim = rows.claim(10_000)) {
        left.addAll(claim.messages());
      }
      try (RowClaim claim = rows.claimDue(10_000, Set.of())) {
        left.addAll(claim.messages());
      }
      return left;
    }
  }

  private List<Stored> leftInLanes() {
    try (LaneStore lanes = store.lanes("auditor", LEASE)) {
      int count = store.layout().lanes();
      List<Lease> leases = lanes.claim(count).stream().map(LaneClaim::lease).toList();
      while (lanes.promoteDue(leases, 1000) > 0) {}
      List<LaneStore.Cursor> all =
          IntStream.range(0, count)
              .mapToObj(lane -> new LaneStore.Cursor(new Lane(lane), 0, 10_000))
              .toList();
      List<Stored> left = new ArrayList<>(lanes.readDue(all, Long.MAX_VALUE, Set.of()));
      left.addAll(lanes.read(all, Long.MAX_VALUE));
      return left;
    }
  }

  /** A source of random numbers whose seed is printed; {@code -Doutbox.seed} sets it. */
  static Random seeded(String name) {
    long seed = Long.getLong("outbox.seed", System.nanoTime());
    System.out.printf("%s: -Doutbox.seed=%d%n", name, seed);
    return new Random(seed);
  }
}
