package dev.outbox.testkit.crash;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.internal.watch.RefusedCalls;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a {@link CrashScenario} takes place: writers, relays driven by hand, a broker that refuses
 * on demand, and time that passes on demand. A process that is dropped in the middle of a step is
 * replaced, as an operator would replace it.
 *
 * <p>Used by one thread.
 */
public final class CrashRun {
  /** How long the leases of the relays run. */
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** One for all runs, because it looks for modules in every jar of the class path. */
  private static final PayloadCodec CODEC = JacksonCodec.create();

  private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(20);
  private static final Duration LONGER_THAN_ANY_REST = Duration.ofMinutes(10);
  private static final int MOST_FAILURES = 20;
  private static final int MOST_ROUNDS = 20;
  private static final String WRITER = "writer-";
  private static final String CONNECTION_LOST = "08006";

  private final TestWorld testWorld;
  private final Steps steps;
  private final History history;
  private final SettableClock clock = SettableClock.create();
  private final Map<ManualRelay, String> relays = new LinkedHashMap<>();
  private final Set<String> cut = new HashSet<>();
  private final RefusedCalls refusedCalls = new RefusedCalls();
  private final Set<String> ended = new HashSet<>();
  private TestWorld.@Nullable Past past;
  private boolean wentBack;
  private boolean wroteToCommit;
  private final CrashFailures failures = new CrashFailures();
  private int writers;
  private int relaysSoFar;

  CrashRun(TestWorld testWorld, Steps.Interruption interruption, History history) {
    this.testWorld = testWorld;
    this.history = history;
    this.steps = new Steps(interruption, history);
  }

  /** The steps of this run. */
  public Steps steps() {
    return steps;
  }

  /** Writes the messages in one transaction and commits it. */
  public void write(Message... messages) throws Exception {
    write(true, meanwhile -> {}, List.of(messages));
  }

  /** Writes the messages in one transaction and rolls it back. */
  public void writeAndRollBack(Message... messages) throws Exception {
    write(false, meanwhile -> {}, List.of(messages));
  }

  /** Writes the messages in one transaction, which stays open during {@code meanwhile}. */
  public void writeAround(CrashScenario meanwhile, Message... messages) throws Exception {
    write(true, meanwhile, List.of(messages));
  }

  private void write(boolean commits, CrashScenario meanwhile, List<Message> messages)
      throws Exception {
    String who = WRITER + ++writers;
    wroteToCommit |= commits;
    Outbox outbox = Outbox.builder(testWorld.store(who, steps)).codec(CODEC).build();
    try (Connection connection = testWorld.applications(who, steps).getConnection()) {
      connection.setAutoCommit(false);
      enqueue(outbox, connection, messages);
      meanwhile.on(this);
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
    } catch (Crash | SQLException | StoreException end) {
      disturbed(who, end);
    }
    note(who, hasCommitted(who) ? NoteKind.COMMITTED : NoteKind.ROLLED_BACK);
  }

  private static void enqueue(Outbox outbox, Connection connection, List<Message> messages)
      throws SQLException {
    try {
      outbox.enqueue(connection, messages);
    } catch (IllegalArgumentException refused) {
      if (connection.isClosed()) {
        throw new SQLException("the connection was cut", CONNECTION_LOST, refused);
      }
      throw refused;
    }
  }

  private boolean hasCommitted(String who) {
    return steps.lastDone(who).filter(step -> step.point() == CrashPoint.TRANSACTION).isPresent();
  }

  private void note(String who, NoteKind noteKind) {
    if (!ended.add(who)) {
      return;
    }
    history
        .notes(NoteKind.ENQUEUED)
        .filter(note -> note.who().equals(who))
        .forEach(note -> history.write(noteKind, who, note.subject(), null, ""));
  }

  /** From now on the broker refuses every message with this text. */
  public void refuse(String text, Function<Throwable, Ack> ack) {
    refusedCalls.add(text, ack, false);
  }

  /** From now on the broker refuses every message with this text the first time that it comes. */
  public void refuseOnce(String text, Function<Throwable, Ack> ack) {
    refusedCalls.add(text, ack, true);
  }

  private void receive(Envelope envelope) throws Exception {
    refusedCalls.check(envelope);
    history.of(NoteKind.ARRIVED, "broker", Subject.of(envelope), "");
  }

  /** Lets the relays work until none has anything to do now. A dropped one is replaced. */
  public void drain() throws Exception {
    if (relays.isEmpty()) {
      join();
    }
    for (ManualRelay relay : List.copyOf(relays.keySet())) {
      drain(relay);
    }
  }

  private void drain(ManualRelay relay) throws Exception {
    StoreException last = null;
    for (int failures = 0; failures < MOST_FAILURES; failures++) {
      try {
        relay.drainNow();
        return;
      } catch (StoreException e) {
        last = e;
        failed(relay, e);
      } catch (Crash crash) {
        replace(relay);
        return;
      }
    }
    throw new AssertionError("the store failed %d times in a row".formatted(MOST_FAILURES), last);
  }

  /** What it handed out before it heard that the store has gone back may come again. */
  private void failed(ManualRelay relay, StoreException failure) {
    String who = Objects.requireNonNull(relays.get(relay));
    if (cut.remove(who)) {
      history.of(NoteKind.FAULT, who, String.valueOf(failure.getMessage()));
    } else {
      disturbed(who, failure);
    }
  }

  private void disturbed(String who, Throwable failure) {
    failures.add(failure, who.startsWith(WRITER) && !wentBack);
    history.of(NoteKind.NUISANCE, who, String.valueOf(failure.getMessage()));
  }

  CrashFailures failures() {
    return failures;
  }

  boolean wroteToCommit() {
    return wroteToCommit;
  }

  private void replace(ManualRelay relay) throws Exception {
    relay.crash();
    relays.remove(relay);
    pass(LONGER_THAN_A_LEASE);
    drain(join());
  }

  private ManualRelay join() {
    String who = "relay-" + ++relaysSoFar;
    try {
      ManualRelay relay = relay(who);
      relays.put(relay, who);
      return relay;
    } catch (Crash crash) {
      return join();
    }
  }

  private ManualRelay relay(String who) {
    Publisher publisher = testWorld.publisher(this::receive).classify(RefusedCalls::ack);
    return ManualRelay.builder(testWorld.store(who, steps), steps.watch(who, publisher))
        .name(who)
        .clock(clock)
        .lease(LEASE, LEASE.dividedBy(3))
        .build();
  }

  /** Lets time pass for the store and for the relays. Whole seconds. */
  public void pass(Duration step) throws Exception {
    testWorld.passTime(step);
    clock.advance(step);
  }

  /** {@code who} is paused for longer than its leases last, while another relay goes on. */
  void standStill(String who) throws Exception {
    history.of(NoteKind.FAULT, who, "stands still for longer than its leases");
    pass(LONGER_THAN_A_LEASE);
    drain(join());
  }

  /** The store may go back to its present state. */
  void remember() throws Exception {
    past = testWorld.remember();
    history.of(NoteKind.REMEMBERED, "store", "");
  }

  /** The store goes back, at a step of {@code who}: a commit that this was is undone with it. */
  void goBack(String who) throws Exception {
    TestWorld.Past before = past;
    if (before == null) {
      return;
    }
    if (who.startsWith(WRITER) && hasCommitted(who)) {
      note(who, NoteKind.COMMITTED);
    }
    before.goBack();
    past = null;
    wentBack = true;
    cut.addAll(relays.values());
    history.of(NoteKind.WENT_BACK, "store", "all sessions are cut");
  }

  /** Lets everything end, and judges. */
  Verdict end() throws Exception {
    OutboxStore store = testWorld.store("audience", new Steps(Steps.Interruption.NONE, history));
    Remains remains = new Remains(store, history, refusedCalls);
    wind(remains);
    if (wentBack) {
      pass(LONGER_THAN_A_LEASE); // leases that were given back since are there again
      drain();
      wind(remains);
    }
    return history.judge(remains.of(relays.size(), testWorld));
  }

  private void wind(Remains remains) throws Exception {
    for (int round = 0; round < MOST_ROUNDS && !remains.areDrained(); round++) {
      pass(LONGER_THAN_ANY_REST);
      drain();
    }
    for (int round = 0; round < MOST_ROUNDS && !relays.isEmpty(); round++) {
      close(relays.keySet().iterator().next());
    }
  }

  private void close(ManualRelay relay) throws Exception {
    try {
      relay.close();
      relays.remove(relay);
    } catch (Crash crash) {
      replace(relay);
    } catch (StoreException e) {
      failed(relay, e);
    }
  }
}
