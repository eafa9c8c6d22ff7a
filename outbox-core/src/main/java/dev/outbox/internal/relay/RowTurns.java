package dev.outbox.internal.relay;

import dev.outbox.publish.Ack;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.store.Fate;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.RowClaim;
import dev.outbox.store.RowStore;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way by rows, for one worker: claim, publish, settle, all in one transaction on one
 * connection.
 *
 * <p>Used by the worker's thread only; publishers answer into the flight, from any thread.
 */
public final class RowTurns implements Turns {
  private static final Logger log = LoggerFactory.getLogger(RowTurns.class);

  private final RowStore store;
  private final Publisher publisher;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final Doorbell doorbell;
  private final Shared shared;
  private final TopicWatch topics;
  private final Presence presence;
  private final Rules rules;
  private final FlightSize flightSize;
  private final Reports reports;
  private final LookPace pace;
  private final IdleWait answers = new IdleWait();
  private Set<String> releasedExcept = Set.of();
  private boolean releaseDue = true;
  private boolean gone;

  /**
   * Turns over {@code store}. The threads of the surroundings are not used: a worker publishes on
   * its own.
   */
  public RowTurns(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.rows(settings.deadlines().publish());
    this.publisher = publisher;
    this.settings = settings;
    this.ticker = surroundings.ticker();
    this.doorbell = surroundings.doorbell();
    this.shared = surroundings.shared();
    TopicGates gates = shared.gates;
    this.topics = new TopicWatch(this.store::topics, gates, ticker);
    this.presence = new Presence(this.store.registry(), settings.name(), settings.leasing());
    this.rules =
        new Rules(new SettleDecision(settings.retries(), gates::isStrict), gates, publisher);
    this.flightSize = new FlightSize(settings.deadlines().publish(), settings.volume().batch());
    this.pace = new LookPace(settings.deadlines().poll(), shared.random);
    this.reports = new Reports(settings, answers::signal, surroundings);
  }

  @Override
  public boolean turn() {
    Ticker.Moment now = ticker.now();
    presence.beat(true, now);
    reports.ignoredAnswers();
    if (!doorbell.answer(now).isSilent()) {
      pace.hurry();
    }
    tellHowItStands(now);
    boolean away = topics.isAway(now);
    if (!pace.isDue(now) || (away && !topics.mayProbe(now))) {
      return false;
    }
    topics.refresh();
    int most = away ? 1 : flightSize.get();
    boolean busy = workDue(most, now);
    busy |= workReady(most);
    if (busy) {
      pace.hurry();
    } else {
      pace.inVain(now);
    }
    return busy;
  }

  /**
   * Of topics with a cap nothing is claimed that may not run: a claim in which they take part is as
   * small as the room that they have, and another one is of the other topics only.
   */
  private boolean workReady(int most) {
    int room = topics.room();
    boolean busy = work(store.claim(Math.min(most, room), topics.full()));
    if (room < most) {
      busy |= work(store.claim(most, topics.capped()));
    }
    return busy;
  }

  private void tellHowItStands(Ticker.Moment now) {
    shared.tally.stand(new Tally.Stand(Set.of(), Set.of(), 0, 0, shared.gates.open(now), now));
  }

  /** One of the workers looks for what has fallen due, about once a second. */
  private boolean workDue(int most, Ticker.Moment now) {
    if (!shared.dueLooks.isTime(now)) {
      return false;
    }
    Set<String> held = topics.held(now);
    int found = store.promoteDue(settings.volume().batch()) + release(held);
    boolean due = work(store.claimDue(Math.min(most, topics.room()), held)) || found > 0;
    if (due) {
      shared.dueLooks.again();
    }
    return due;
  }

  private int release(Set<String> held) {
    releaseDue |= !held.equals(releasedExcept);
    if (!releaseDue) {
      return 0;
    }
    int most = settings.volume().batch();
    int released = store.release(held, most);
    releasedExcept = held;
    releaseDue = released == most || !held.isEmpty();
    return released;
  }

  private boolean work(RowClaim claim) {
    try (claim) {
      List<Stored> claimed = claim.messages();
      if (claimed.isEmpty()) {
        return false;
      }
      boolean away = topics.isAway(ticker.now());
      Batch batch =
          new Batch(claimed, away ? Batch.Held.LEAVE : Batch.Held.PARK_UNLESS_FULL, rules);
      List<Stored> aboard = batch.takeFlight(terms(claimed.size()));
      if (!aboard.isEmpty()) {
        publish(aboard, claim, batch);
      }
      List<Fate> fates = batch.fates();
      claim.settle(fates);
      reports.settled(fates, 0);
      return !fates.isEmpty();
    }
  }

  private Batch.Terms terms(int most) {
    Ticker.Moment now = ticker.now();
    Batch.Unfit unfit =
        stored ->
            stored.defect() == null ? null : rules.decision().unfit(stored, stored.defect(), now);
    return new Batch.Terms(Set.of(), Ordering.PIPELINED, most, unfit, now);
  }

  private void publish(List<Stored> aboard, RowClaim claim, Batch batch) {
    OpenFlight flight = new OpenFlight(aboard, claim.transaction(), reports);
    Ticker.Moment tookOff = ticker.now();
    boolean waited;
    try {
      waited = fly(flight, claim, tookOff);
    } catch (RuntimeException e) {
      // the claim is gone, and with it the flight: its messages come back through the gates
      aboard.forEach(stored -> rules.gates().withdrawn(stored.envelope()));
      throw e;
    }
    Ticker.Moment now = ticker.now();
    flightSize.learn(aboard.size(), now.since(tookOff));
    if (waited) {
      batch.land(flight, now);
    } else {
      batch.landAnswered(flight, now); // closed before the deadline: silence says nothing
    }
  }

  /** False when a close did not wait for the answers. */
  private boolean fly(OpenFlight flight, RowClaim claim, Ticker.Moment tookOff) {
    Savepoint begin = publisher.isTransactional() ? begin(claim) : null;
    Duration deadline = settings.deadlines().publish();
    new PublishTask(publisher, flight, ticker, deadline, () -> true).run();
    Thread
        .interrupted(); // the publisher's own interrupt must not end the worker; stop() asks first
    boolean waited = awaitAnswers(flight, tookOff);
    flight.land();
    if (begin != null) {
      undoIfThrown(flight, claim, begin);
      requireIntact(claim, begin);
    }
    return waited;
  }

  private static Savepoint begin(RowClaim claim) {
    try {
      return claim.transaction().setSavepoint();
    } catch (SQLException e) {
      throw StoreException.passing("the claim's transaction has no savepoints", e);
    }
  }

  /**
   * A transactional publisher that threw has left nobody knows which effects: all are undone, and
   * none of its answers counts.
   */
  private static void undoIfThrown(OpenFlight flight, RowClaim claim, Savepoint begin) {
    Throwable thrown = flight.thrown();
    if (thrown != null) {
      try {
        claim.transaction().rollback(begin);
      } catch (SQLException e) {
        throw StoreException.passing("the effects of a flight could not be undone", e);
      }
      flight.overrule(Ack.of(thrown));
    }
  }

  /**
   * Some databases answer a deadlock by rolling back the whole transaction, the claim with it. What
   * came later then stands in a transaction without a claim, so nothing of it may be settled.
   */
  private static void requireIntact(RowClaim claim, Savepoint begin) {
    try {
      claim.transaction().releaseSavepoint(begin);
    } catch (SQLFeatureNotSupportedException e) {
      // Oracle's driver has no release, and Oracle ends statements only
      log.debug("savepoints cannot be released here", e);
    } catch (SQLException e) {
      throw StoreException.passing(
          "the claim's transaction did not last until the end of its flight", e);
    }
  }

  /** False when the wait was interrupted, as a close does that has run out of patience. */
  private boolean awaitAnswers(OpenFlight flight, Ticker.Moment tookOff) {
    Duration left = settings.deadlines().publish();
    try {
      while (!flight.isAnswered() && !left.isNegative() && !left.isZero()) {
        answers.await(left);
        left = settings.deadlines().publish().minus(ticker.now().since(tookOff));
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void lookEverywhere() {
    shared.dueLooks.again();
    topics.hurry();
    pace.hurry();
    releaseDue = true;
  }

  @Override
  public void afterFailure() {
    pace.hurry();
  }

  @Override
  public boolean windDown() {
    if (!gone) {
      presence.leave();
      gone = true;
    }
    return true;
  }

  @Override
  public void giveUp() {
    windDown();
  }

  @Override
  public Duration longestRest() {
    Ticker.Moment now = ticker.now();
    Duration rest = topics.isAway(now) ? topics.untilChange(now) : pace.left(now);
    rest = LookPace.shorter(rest, settings.leasing().renewal());
    return LookPace.shorter(rest, doorbell.next(now));
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
