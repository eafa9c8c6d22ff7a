package dev.outbox.internal.relay;

import dev.outbox.Claiming;
import dev.outbox.internal.relay.RelayState.DueLooks;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.read.PollBackoff;
import dev.outbox.internal.relay.read.WakeupQueue;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.internal.relay.settle.Presence;
import dev.outbox.internal.relay.topic.ProbeTurns;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The way by rows, for one worker: claim, publish, settle, all in one transaction on one
 * connection.
 *
 * <p>Used by the worker's thread only; publishers answer into the flight, from any thread.
 */
public final class RowWorker implements Worker {
  private static final Duration WHILE_UNSAMPLED = Duration.ofMillis(100);

  /** A rate saves up no more than this. */
  private static final Duration WHILE_LIMITED = Duration.ofMillis(500);

  private static final String MOVE = "move due messages";

  private final RowStore store;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final WakeupQueue wakeupQueue;
  private final RelayState relayState;
  private final TopicWatch topics;
  private final Presence presence;
  private final LockWaits lockWaits = new LockWaits();
  private final LockPatience beats;
  private final LockPatience promotes;
  private final RowDelivery delivery;
  private final RelayEvents relayEvents;
  private final PollBackoff pace;
  private final ProbeTurns probeTurns = new ProbeTurns();
  private final DutyCycle looksBehind = new DutyCycle(Duration.ZERO, 10);
  private boolean unsampled;
  private volatile boolean stopping;

  /**
   * Turns over {@code store}. The threads of the surroundings are not used: a worker publishes on
   * its own.
   */
  public RowWorker(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.rows(settings.deadlines().publish());
    this.settings = settings;
    this.ticker = surroundings.ticker();
    this.wakeupQueue = surroundings.wakeupQueue();
    this.relayState = surroundings.relayState();
    TopicGates gates = relayState.gates;
    this.topics = new TopicWatch(this.store::topics, gates, ticker);
    this.beats = new LockPatience(lockWaits, settings.name(), "report that it is alive", ticker);
    this.promotes =
        LockPatience.ofRows(lockWaits, settings.name(), MOVE, ticker, relayState.waitsToMove);
    this.presence = new Presence(this.store.registry(), settings.name(), settings.leasing());
    IdleWait answers = new IdleWait();
    this.relayEvents = new RelayEvents(settings, answers::signal, ticker, relayState.relayCounters);
    DeliveryRules deliveryRules = DeliveryRules.of(settings, gates, publisher, Claiming.ROWS);
    this.delivery =
        new RowDelivery(
            publisher, settings, deliveryRules, topics, relayState, relayEvents, answers, ticker);
    this.pace = new PollBackoff(settings.deadlines().poll(), relayState.random);
  }

  @Override
  public boolean step() {
    Ticker.Moment now = ticker.now();
    lockWaits.turn();
    beats.take(() -> presence.beat(true, now));
    relayEvents.ignoredAnswers();
    if (!wakeupQueue.take(now).isNone()) {
      pace.hurry();
    }
    sampleStatus(now);
    if (!pace.isDue(now)) {
      return false;
    }
    topics.refresh();
    boolean down = topics.isDown(now);
    boolean probes = down && topics.mayProbe(now);
    if (probes) {
      probeTurns.next();
    }
    boolean readyFirst = probes && probeTurns.isOfReady();
    boolean busy = readyFirst && workReady(down);
    busy |= workDue(down, now);
    if (!readyFirst) {
      busy |= workReady(down);
    }
    relayState.gates.looked(ticker.now(), topic -> false);
    if (busy) {
      pace.hurry();
    } else {
      pace.inVain(now);
      pace.noLaterThan(topics.untilProbe(now));
      if (isLimited(now)) {
        pace.noLaterThan(relayState.dueLooks.left(now, WHILE_LIMITED));
      }
    }
    return busy;
  }

  private boolean workReady(boolean down) {
    return down
        ? probe(store::claim) || workBehindReady()
        : work(delivery.most(), Set.of(), store::claim);
  }

  /**
   * While every broker met lately is down, messages of other topics may be behind all that waits
   * for those, which a claim has to wade through, and may not come to the end of in time.
   */
  private boolean workBehindReady() {
    Ticker.Moment before = ticker.now();
    if (!looksBehind.begins(before)) {
      return false;
    }
    boolean busy = false;
    try {
      busy = workBehind(store::claim);
    } finally {
      looksBehind.took(busy ? Duration.ZERO : ticker.now().surelySince(before));
    }
    return busy;
  }

  private boolean workBehind(Claims claims) {
    Set<String> without = new HashSet<>(topics.held(ticker.now()));
    without.addAll(topics.shut());
    return work(delivery.most(), without, claims);
  }

  /** One message is enough to see whether a broker is back. */
  private boolean probe(Claims claims) {
    Ticker.Moment now = ticker.now();
    return topics.mayProbe(now) && work(topics.toProbe(now), topics.held(now), claims);
  }

  private interface Claims {
    RowClaim claim(int atMost, Set<String> without);
  }

  /**
   * Of topics with a cap nothing is claimed that may not run, and none is bounded by the room of
   * another: claims grow, and those topics take no part that have not that much room. One that
   * comes back short has left nothing for a larger one, in which fewer take part.
   */
  private boolean work(int most, Set<String> held, Claims claims) {
    boolean busy = false;
    int size = 0;
    int claimed = 0;
    while (claimed == size && size < most && mayClaim()) {
      size = topics.roomAbove(size, most);
      Set<String> without = new HashSet<>(held);
      without.addAll(topics.withLessRoom(size));
      RowClaim claim = claim(claims, size, without);
      claimed = claim.messages().size();
      busy |= delivery.deliver(claim);
    }
    return busy;
  }

  private boolean mayClaim() {
    return !stopping && !Thread.currentThread().isInterrupted();
  }

  private static RowClaim claim(Claims claims, int atMost, Set<String> without) {
    return Recording.claimRows(() -> claims.claim(atMost, without));
  }

  private void sampleStatus(Ticker.Moment now) {
    unsampled = !relayState.relayCounters.isTimeToSample(now);
    if (unsampled) {
      return;
    }
    relayState.stuckWorkers.note(settings, now);
    relayState.relayCounters.failures.turn(settings.name(), Claiming.ROWS, now);
    relayState.relayCounters.sample(
        new RelayCounters.Sample(
            Set.of(), Set.of(), 0, 0, relayState.gates.down(now), "", waits(), null, now),
        settings.listener());
  }

  private String waits() {
    return relayState.waitsToMove.get() ? "waits to " + MOVE + ", see the log" : "";
  }

  /** One of the workers looks for what has fallen due, about once a second. */
  private boolean workDue(boolean down, Ticker.Moment now) {
    boolean looks =
        relayState.dueLooks.isTime(now, isLimited(now) ? WHILE_LIMITED : DueLooks.BETWEEN);
    boolean due = promote(now);
    due |= looks && workParked(down, now);
    if (due) {
      relayState.dueLooks.again();
      relayState.duePromotions.again();
    }
    return due;
  }

  /** True while some that a rate has parked may wait. */
  private boolean isLimited(Ticker.Moment now) {
    return relayState.topicReleases.mayHaveMore()
        && topics.untilChange(now).compareTo(WHILE_LIMITED) < 0;
  }

  /** True when delayed messages were moved. A worker that rests leaves the turn to the others. */
  private boolean promote(Ticker.Moment now) {
    return promotes.left().isZero()
        && relayState.duePromotions.isTime(now)
        && promotes.take(() -> store.promoteDue(settings.volume().batch()) > 0);
  }

  private boolean workParked(boolean down, Ticker.Moment now) {
    Set<String> held = topics.held(now);
    int most = settings.volume().batch();
    boolean released = relayState.topicReleases.release(store, held, most, now) > 0;
    boolean worked =
        down
            ? probe(store::claimDue) || workBehind(store::claimDue)
            : work(delivery.most(), held, store::claimDue);
    return worked || released;
  }

  @Override
  public void lookEverywhere() {
    relayState.duePromotions.again();
    relayState.dueLooks.again();
    topics.hurry();
    pace.hurry();
    relayState.topicReleases.again();
  }

  @Override
  public boolean endRests() {
    return false; // its reads take none
  }

  @Override
  public void afterFailure(RuntimeException failure) {
    pace.hurry();
  }

  @Override
  public void stop() {
    stopping = true;
  }

  @Override
  public boolean windDown() {
    presence.leave();
    return true;
  }

  @Override
  public void giveUp() {
    windDown();
  }

  @Override
  public Duration longestRest() {
    Ticker.Moment now = ticker.now();
    Duration rest = Durations.shorter(pace.left(now), settings.leasing().renewal());
    rest = unsampled ? Durations.shorter(rest, WHILE_UNSAMPLED) : rest;
    return Durations.shorter(rest, wakeupQueue.next(now));
  }

  @Override
  public void abort() {
    store.abort();
  }

  @Override
  public void close() {
    store.close();
  }
}
