package dev.outbox.testkit.schedule;

import dev.outbox.message.MessageId;
import dev.outbox.store.DeadFilter;
import dev.outbox.store.DeadLetter;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Snapshot;
import dev.outbox.store.TopicSetting;
import dev.outbox.testkit.crash.Stage;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.World;
import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Remains;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.history.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Where one schedule is played: takes its decisions in order, those inside a pause while somebody
 * stands still, then lets everything end.
 *
 * <p>Used by one thread.
 */
final class Scene {
  private static final int MOST_ROUNDS = 150;
  private static final Duration A_WHILE = Duration.ofSeconds(4);
  private static final int MOST_DEPTH = 3;
  private static final int BOUND = 1000;
  private static final String STORE = "store";

  private final Plan plan;
  private final World world;
  private final Ledger ledger;
  private final Hours time;
  private final Writers writers;
  private final Broker broker;
  private final Crew crew;
  private final OutboxStore audience;
  private final List<Beat> beats = new ArrayList<>();
  private final Set<MessageId> discarded = new HashSet<>();
  private World.@Nullable Past past;
  private int cursor;
  private int depth;

  Scene(Plan plan, Settings settings, World world, long seed) {
    this.plan = plan;
    this.world = world;
    this.time = new Hours(this);
    this.ledger = new Ledger(time::sinceTheBeginning);
    this.crew = new Crew(this, settings, new SplittableRandom(~seed));
    this.broker = new Broker(this);
    this.audience = world.store("audience", new Steps(Steps.Interruption.NONE, ledger));
    this.writers = new Writers(this, seed);
  }

  Plan plan() {
    return plan;
  }

  World world() {
    return world;
  }

  Ledger ledger() {
    return ledger;
  }

  Hours time() {
    return time;
  }

  Writers writers() {
    return writers;
  }

  Broker broker() {
    return broker;
  }

  Crew crew() {
    return crew;
  }

  /** The decisions that were taken, in order. */
  List<Beat> beats() {
    return beats;
  }

  History history() {
    return ledger.history();
  }

  /** Plays it to its end. */
  Verdict play() throws Exception {
    while (cursor < plan.decisions().size()) {
      takeNext();
    }
    return end();
  }

  private void takeNext() throws Exception {
    Decision decision = plan.decisions().get(cursor++);
    beats.add(new Beat(decision, depth, ledger.size()));
    decision.on(this);
    crew.forgetTheDead();
  }

  /** Lets others go on while {@code member} stands still. */
  void standStill(Member member) {
    if (depth >= MOST_DEPTH) {
      return;
    }
    depth++;
    try {
      while (cursor < plan.decisions().size() && !member.mayGoOn()) {
        takeNext();
      }
    } catch (Exception e) {
      throw new IllegalStateException("while others went on", e);
    } finally {
      depth--;
    }
  }

  /** The store may go back to how it stands now. */
  void remember() throws Exception {
    past = world.remember();
    writers.remember();
    ledger.of(What.REMEMBERED, STORE, "");
  }

  /** The store is again what it was when it was remembered, if it was. */
  void goBack() throws Exception {
    World.Past before = past;
    if (before == null) {
      return;
    }
    past = null;
    writers.lose();
    before.goBack();
    ledger.of(What.WENT_BACK, STORE, "all sessions are cut");
    ledger.count(Happening.WENT_BACK);
    crew.loseSessions();
    time.setBack();
  }

  void set(String topic, TopicSetting setting) {
    audience.topics().change(topic, before -> setting);
    ledger.count(Happening.TOPIC_SET);
  }

  /** Nothing is expected any more of the order of what is replayed. */
  void replay() {
    List<DeadLetter> letters = dead();
    for (DeadLetter letter : letters) {
      Subject subject = Subject.of(letter.envelope()).unordered();
      ledger.of(What.ENQUEUED, "operator", subject, "replayed");
      ledger.count(Happening.REPLAY);
    }
    audience.deadLetters().replay(letters.stream().map(DeadLetter::id).toList());
  }

  private List<DeadLetter> dead() {
    return audience.deadLetters().page(DeadFilter.all(), 0, BOUND);
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
    beats.add(new Beat(new Decision.End(), 0, ledger.size()));
    crew.disarm();
    broker.heal();
    writers.end();
    audience.topics().all().keySet().forEach(topic -> set(topic, TopicSetting.NONE));
    settleDown();
    List<String> starved = writers.starved();
    if (!isDrained(audience.snapshot(BOUND))) {
      crew.closeAll(); // those that find the broker away because of one sick message do not bury it
      settleDown();
    }
    crew.drainAll();
    crew.closeAll();
    return history().judge(remains(starved));
  }

  private void settleDown() throws Exception {
    for (int round = 0; round < MOST_ROUNDS && !isOver(); round++) {
      crew.drainAll();
      discardHolders();
      time.pass(A_WHILE);
    }
  }

  private boolean isOver() {
    Snapshot left = audience.snapshot(BOUND);
    return isDrained(left)
        && time.sinceSetback().compareTo(Stage.LEASE.multipliedBy(2)) > 0
        && left.lanes().stream().allMatch(lane -> crew.isHere(lane.owner()));
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

  private Remains remains(List<String> starved) {
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
    return new Remains(deadMessages(), leftOver);
  }
}
