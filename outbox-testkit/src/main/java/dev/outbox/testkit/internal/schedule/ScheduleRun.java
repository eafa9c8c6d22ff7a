package dev.outbox.testkit.internal.schedule;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Snapshot;
import dev.outbox.Topics.Setting;
import dev.outbox.message.MessageId;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Leftovers;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.schedule.CoveredEvent;
import dev.outbox.testkit.schedule.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where one schedule is played: takes its decisions in order, those inside a pause while a relay is
 * paused, then lets everything end.
 *
 * <p>Used by one thread.
 */
public final class ScheduleRun {
  private static final int MOST_ROUNDS = 150;
  private static final Duration A_WHILE = Duration.ofSeconds(4);
  private static final int MOST_DEPTH = 3;
  private static final int BOUND = 1000;
  private static final String STORE = "store";

  private final Plan plan;
  private final TestWorld testWorld;
  private final ScheduleLedger scheduleLedger;
  private final ScheduleClocks time;
  private final ScheduledWriters scheduledWriters;
  private final Broker broker;
  private final ScheduledRelays scheduledRelays;
  private final OutboxStore audience;
  private final List<TakenDecision> takenDecisions = new ArrayList<>();
  private final Set<MessageId> discarded = new HashSet<>();
  private TestWorld.@Nullable Past past;
  private int cursor;
  private int depth;

  public ScheduleRun(Plan plan, Settings settings, TestWorld testWorld, long seed) {
    this.plan = plan;
    this.testWorld = testWorld;
    this.time = new ScheduleClocks(this);
    this.scheduleLedger = new ScheduleLedger(time::sinceTheBeginning);
    this.scheduledRelays = new ScheduledRelays(this, settings, new SplittableRandom(~seed));
    this.broker = new Broker(this);
    this.audience = testWorld.store("audience", new Steps(Steps.Interruption.NONE, scheduleLedger));
    this.scheduledWriters = new ScheduledWriters(this, seed);
  }

  Plan plan() {
    return plan;
  }

  TestWorld testWorld() {
    return testWorld;
  }

  public ScheduleLedger scheduleLedger() {
    return scheduleLedger;
  }

  ScheduleClocks time() {
    return time;
  }

  ScheduledWriters scheduledWriters() {
    return scheduledWriters;
  }

  public Broker broker() {
    return broker;
  }

  ScheduledRelays scheduledRelays() {
    return scheduledRelays;
  }

  /** The decisions that were taken, in order. */
  public List<TakenDecision> takenDecisions() {
    return takenDecisions;
  }

  public History history() {
    return scheduleLedger.history();
  }

  /** Plays it to its end. */
  public Verdict play() throws Exception {
    while (cursor < plan.decisions().size()) {
      takeNext();
    }
    return end();
  }

  private void takeNext() throws Exception {
    Decision decision = plan.decisions().get(cursor++);
    takenDecisions.add(new TakenDecision(decision, depth, scheduleLedger.size()));
    decision.on(this);
    scheduledRelays.forgetTheDead();
  }

  /** Lets others go on while {@code scheduledRelay} stands still. */
  void standStill(ScheduledRelay scheduledRelay) {
    if (depth >= MOST_DEPTH) {
      return;
    }
    depth++;
    try {
      while (cursor < plan.decisions().size() && !scheduledRelay.mayGoOn()) {
        takeNext();
      }
    } catch (Exception e) {
      throw new IllegalStateException("while others went on", e);
    } finally {
      depth--;
    }
  }

  /** The store may go back to its present state. */
  void remember() throws Exception {
    past = testWorld.remember();
    scheduledWriters.remember();
    scheduleLedger.of(NoteKind.REMEMBERED, STORE, "");
  }

  /** The store is again what it was when it was remembered, if it was. */
  void goBack() throws Exception {
    TestWorld.Past before = past;
    if (before == null) {
      return;
    }
    past = null;
    scheduledWriters.lose();
    before.goBack();
    scheduleLedger.of(NoteKind.WENT_BACK, STORE, "all sessions are cut");
    scheduleLedger.count(CoveredEvent.WENT_BACK);
    scheduledRelays.loseSessions();
    time.setBack();
  }

  void set(String topic, Setting setting) {
    audience.topics().change(topic, before -> setting);
    scheduleLedger.count(CoveredEvent.TOPIC_SET);
  }

  /** Nothing is expected any more of the order of what is replayed. */
  void replay() {
    List<DeadLetter> letters = dead();
    for (DeadLetter letter : letters) {
      Subject subject = Subject.of(letter.envelope()).unordered();
      scheduleLedger.of(NoteKind.ENQUEUED, "operator", subject, "replayed");
      scheduleLedger.count(CoveredEvent.REPLAY);
    }
    audience.deadLetters().replay(letters.stream().map(DeadLetter::id).toList());
  }

  private List<DeadLetter> dead() {
    return audience.deadLetters().page(Filter.all(), 0, BOUND);
  }

  /**
   * The messages that are dead, also those that were discarded since. The store is asked: a relay
   * that did not hear of its burial writes it again, maybe after a replay, and then it is none.
   */
  Set<MessageId> deadMessages() {
    Set<MessageId> all = new HashSet<>(discarded);
    dead().forEach(letter -> all.add(letter.envelope().id()));
    return all;
  }

  private Verdict end() throws Exception {
    takenDecisions.add(new TakenDecision(new Decision.End(), 0, scheduleLedger.size()));
    scheduledRelays.disarm();
    broker.heal();
    scheduledWriters.end();
    audience.topics().all().keySet().forEach(topic -> set(topic, Setting.NONE));
    settleDown(scheduledRelays::workOn); // what only a look everywhere finds would wait for good
    List<String> starved = List.of();
    if (!isDrained(audience.snapshot(BOUND))) {
      starved = scheduledWriters.starved(audience.messages());
      scheduledRelays
          .closeAll(); // those that find the broker down because of one sick message do not bury it
      settleDown(scheduledRelays::drainAll);
    }
    scheduledRelays.drainAll();
    scheduledRelays.closeAll();
    return history().judge(remains(starved));
  }

  private void settleDown(Runnable work) throws Exception {
    for (int round = 0; round < MOST_ROUNDS && !isOver(); round++) {
      work.run();
      discardHolders();
      time.pass(A_WHILE);
    }
  }

  private boolean isOver() {
    Snapshot left = audience.snapshot(BOUND);
    return isDrained(left)
        && time.sinceSetback().compareTo(CrashRun.LEASE.multipliedBy(2)) > 0
        && left.lanes().stream().allMatch(lane -> scheduledRelays.isHere(lane.owner()));
  }

  private static boolean isDrained(Snapshot left) {
    return left.ready() == 0 && left.parked() == 0 && left.delayed() == 0;
  }

  /** Dead letters of strict topics would hold their keys for ever. */
  private void discardHolders() {
    List<DeadLetter> holders = dead().stream().filter(DeadLetter::holdsKey).toList();
    holders.forEach(letter -> discarded.add(letter.envelope().id()));
    audience.deadLetters().discard(holders.stream().map(DeadLetter::id).toList());
  }

  private Leftovers remains(List<String> starved) {
    Snapshot left = audience.snapshot(BOUND);
    List<String> leftOver = new ArrayList<>(starved);
    if (!isDrained(left)) {
      leftOver.add(
          "%d ready, %d parked and %d delayed messages"
              .formatted(left.ready(), left.parked(), left.delayed()));
    }
    left.lanes().stream()
        .filter(lane -> lane.owner() != null)
        .forEach(
            lane -> leftOver.add("lane %s is leased by %s".formatted(lane.lane(), lane.owner())));
    return new Leftovers(deadMessages(), leftOver);
  }
}
