package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.ClusterPlan.Kind;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Plays a plan with the real engine over in-memory stores, on a virtual clock, and judges what came
 * of it.
 */
final class ClusterPlay {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration MAXIMUM_DELAY = TICK.multipliedBy(ClusterPlan.DELAY);
  private static final int LAST = 700;
  private static final int TURNS = 3;
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  /** One for all plays, because it looks for modules in every jar of the class path. */
  private static final PayloadCodec CODEC = JacksonCodec.create();

  private final ClusterPlan plan;
  private final Function<InMemoryStore, OutboxStore> tampering;
  private final List<InMemoryStore> stores = new ArrayList<>();
  private final List<SettableClock> clocks = new ArrayList<>();
  private final List<Outbox> outboxes = new ArrayList<>();
  private final List<List<ManualRelay>> relays = new ArrayList<>();
  private final ClusterState[] asked;
  private final Replication replication;
  private final List<List<Deque<Integer>>> arrivals = new ArrayList<>();
  private final Set<Object> notes = new HashSet<>();
  private final Map<MessageId, List<Integer>> published = new HashMap<>();
  private final Map<MessageId, Integer> takeovers = new HashMap<>();
  private final Map<List<Object>, Integer> takers = new HashMap<>();
  private final Map<MessageId, Integer> inFlight = new HashMap<>();
  private final Set<MessageId> written = new HashSet<>();
  private final List<String> wrong = new ArrayList<>();
  private int tick;

  ClusterPlay(ClusterPlan plan, Function<InMemoryStore, OutboxStore> tampering) {
    this.plan = plan;
    this.tampering = tampering;
    this.asked = new ClusterState[plan.clusters()];
    for (int id = 0; id < plan.clusters(); id++) {
      SettableClock clock = SettableClock.at(START.plus(TICK.multipliedBy(plan.skew().get(id))));
      InMemoryStore store =
          InMemoryStore.builder()
              .lanes(2)
              .clock(clock)
              .clusters(new Clusters(plan.clusters(), id, MAXIMUM_DELAY))
              .build();
      clocks.add(clock);
      stores.add(store);
      outboxes.add(Outbox.builder(store).codec(CODEC).build());
      relays.add(new ArrayList<>());
      arrivals.add(new ArrayList<>());
      for (int from = 0; from < plan.clusters(); from++) {
        arrivals.get(id).add(new ArrayDeque<>());
      }
    }
    this.replication = Replication.among(stores);
  }

  ClusterOutcome run() throws Exception {
    for (tick = 0; tick < plan.ticks() || (tick < LAST && !isOver()); tick++) {
      for (int id = 0; id < plan.clusters(); id++) {
        step(id);
      }
      for (int to = 0; to < plan.clusters(); to++) {
        for (int from = 0; from < plan.clusters(); from++) {
          deliver(from, to);
        }
      }
      clocks.forEach(clock -> clock.advance(TICK));
    }
    return judge();
  }

  private boolean is(Kind kind, int id) {
    return tick < plan.ticks() && plan.is(kind, tick, id);
  }

  private boolean isDown(int id) {
    return is(Kind.KILL, id);
  }

  private void step(int id) throws SQLException {
    if (isDown(id) || is(Kind.RELAY, id)) {
      crash(id);
    } else {
      begin(id);
    }
    if (isDown(id)) {
      return;
    }
    write(id);
    handOver(id);
    if (!is(Kind.STALL, id)) {
      relays.get(id).forEach(ClusterPlay::turns);
    }
    count(id);
    send(id);
  }

  private static void turns(ManualRelay relay) {
    boolean busy = true;
    for (int turn = 0; turn < TURNS && busy; turn++) {
      busy = relay.turn();
    }
  }

  private void begin(int id) {
    List<ManualRelay> living = relays.get(id);
    while (living.size() < plan.relays()) {
      living.add(relay(id, living.size()));
    }
  }

  private ManualRelay relay(int id, int one) {
    SplittableRandom random = new SplittableRandom(plan.seed() + id + 16L * one);
    return ManualRelay.builder(
            tampering.apply(stores.get(id)), Publisher.blocking(envelope -> publish(id, envelope)))
        .name("relay-%d-%d-%d".formatted(id, one, tick))
        .clocks(() -> TICK.toNanos() * tick, clocks.get(id))
        .random(random)
        .lease(TICK.multipliedBy(4), TICK)
        .maximumDelay(MAXIMUM_DELAY)
        .retry(RetryPolicy.exponential(TICK, TICK.multipliedBy(4), Duration.ofDays(1)))
        .build();
  }

  private void publish(int id, Envelope envelope) {
    if (is(Kind.BROKER, id)) {
      throw new IllegalStateException("the broker of " + id + " is down");
    }
    published.computeIfAbsent(envelope.id(), any -> new ArrayList<>()).add(id);
    if (envelope.origin().takenOver() == (envelope.origin().cluster() == id)) {
      wrong.add("the mark of " + envelope + " is wrong: " + envelope.origin() + " at " + id);
    }
  }

  /** What it has published and not yet settled may be published again. */
  private void crash(int id) {
    if (relays.get(id).isEmpty()) {
      return;
    }
    relays.get(id).forEach(ManualRelay::crash);
    relays.get(id).clear();
    InMemoryTables inMemoryTables = stores.get(id).inMemoryTables();
    inMemoryTables.ready.values().forEach(row -> mayBeInFlight(id, row.envelope().id()));
    inMemoryTables.parked.rows().forEach(row -> mayBeInFlight(id, row.envelope().id()));
  }

  private void mayBeInFlight(int id, MessageId message) {
    if (published.getOrDefault(message, List.of()).contains(id)) {
      inFlight.merge(message, 1, Integer::sum);
    }
  }

  private void write(int id) throws SQLException {
    for (ClusterPlan.Write write : plan.writesAt(tick, id)) {
      try (Connection connection = stores.get(id).begin()) {
        var draft = Message.to("t").key("k" + write.key());
        Message message =
            write.delay() == 0
                ? draft.text("m")
                : draft.deliverAfter(TICK.multipliedBy(write.delay())).text("m");
        written.add(outboxes.get(id).enqueue(connection, message));
        connection.commit();
      }
    }
  }

  private void handOver(int id) {
    ClusterState wanted = is(Kind.LEAVE, id) ? ClusterState.LEFT : ClusterState.WORKING;
    if (asked[id] != wanted && asked[id] != null) {
      Handover handover = Handover.create(stores.get(id));
      if (wanted == ClusterState.LEFT) {
        handover.leave();
      } else {
        handover.comeBack();
      }
    }
    asked[id] = wanted;
  }

  /** Who has taken over what. */
  private void count(int id) {
    for (InMemoryClusters.Note note : stores.get(id).inMemoryTables().notes) {
      if (note.taker() == id && notes.add(note)) {
        takeovers.merge(note.message(), 1, Integer::sum);
        takers.merge(List.of(note.place(), note.message()), 1, Integer::sum);
      }
    }
  }

  private void send(int from) {
    if (replication.capture(from)) {
      for (int to = 0; to < plan.clusters(); to++) {
        if (to != from) {
          Deque<Integer> queue = arrivals.get(to).get(from);
          int due = tick + plan.lag(tick, from, to);
          queue.add(queue.isEmpty() ? due : Math.max(due, queue.getLast()));
        }
      }
    }
  }

  private void deliver(int from, int to) {
    Deque<Integer> queue = arrivals.get(to).get(from);
    boolean flows =
        from != to
            && !isDown(from)
            && !isDown(to)
            && (tick >= plan.ticks() || !plan.isCut(tick, from, to));
    while (flows && !queue.isEmpty() && (queue.peek() <= tick || tick >= plan.ticks())) {
      queue.remove();
      try {
        replication.deliver(from, to);
      } catch (IllegalStateException e) {
        wrong.add(String.valueOf(e.getMessage()));
      }
    }
  }

  private boolean isOver() {
    return stores.stream()
        .allMatch(
            store ->
                store.readyCount() + store.parkedCount() + store.delayedCount() == 0
                    && store.clusters().roll().clusterState() == ClusterState.WORKING);
  }

  private ClusterOutcome judge() {
    int repeats = 0;
    int most = 0;
    for (MessageId message : written) {
      List<Integer> by = published.getOrDefault(message, List.of());
      int taken = takeovers.getOrDefault(message, 0);
      if (by.isEmpty()) {
        wrong.add("lost: " + message);
      }
      if (by.size() > 1 + taken + inFlight.getOrDefault(message, 0)) {
        wrong.add("%s was published by %s, taken over %d times".formatted(message, by, taken));
      }
      repeats += Math.max(0, by.size() - 1);
      most = Math.max(most, by.size());
    }
    if (!isOver()) {
      stores.forEach(
          store -> wrong.add("stuck: " + store + " " + store.clusters().roll().clusterState()));
    }
    int taken = takeovers.values().stream().mapToInt(Integer::intValue).sum();
    int twice = (int) takers.values().stream().filter(times -> times > 1).count();
    return new ClusterOutcome(plan, written.size(), repeats, most, taken, twice, wrong);
  }
}
