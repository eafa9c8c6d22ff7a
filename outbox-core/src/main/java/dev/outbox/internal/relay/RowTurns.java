package dev.outbox.internal.relay;

import dev.outbox.publish.Ack;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
  private static final Duration BETWEEN_DUE_LOOKS = Duration.ofMillis(500);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  private final RowStore store;
  private final Publisher publisher;
  private final RelaySettings settings;
  private final Ticker ticker;
  private final Presence presence;
  private final SettleDecision decision;
  private final FlightSize flightSize;
  private final Reports reports;
  private final IdleWait answers;
  private Ticker.@Nullable Moment lastDueLook;
  private Ticker.@Nullable Moment pausedAt;
  private Duration pause = Duration.ZERO;
  private int outages;
  private boolean gone;

  /**
   * Turns over {@code store}. The executor of the surroundings is not used: a worker publishes on
   * its own thread.
   */
  public RowTurns(
      OutboxStore store, Publisher publisher, RelaySettings settings, Surroundings surroundings) {
    this.store = store.rows(settings.deadlines().publish());
    this.publisher = publisher;
    this.settings = settings;
    this.ticker = surroundings.ticker();
    this.presence = new Presence(store.registry(), settings.name(), settings.leasing());
    this.decision = new SettleDecision(settings.retries());
    this.flightSize = new FlightSize(settings.deadlines().publish(), settings.volume().batch());
    this.answers = new IdleWait(settings.deadlines().poll());
    this.reports = new Reports(settings, answers::signal, ticker);
  }

  @Override
  public boolean turn() {
    Ticker.Moment now = ticker.now();
    presence.beat(now);
    reports.ignoredAnswers();
    if (isPaused(now)) {
      return false;
    }
    boolean busy = lookAtDue(now);
    busy |= work(store.claim(flightSize.get()));
    return busy;
  }

  private boolean lookAtDue(Ticker.Moment now) {
    if (lastDueLook != null && now.since(lastDueLook).compareTo(BETWEEN_DUE_LOOKS) < 0) {
      return false;
    }
    lastDueLook = now;
    int promoted = store.promoteDue(settings.volume().batch());
    boolean found = work(store.claimDue(flightSize.get(), java.util.Set.of())) || promoted > 0;
    if (found) {
      lastDueLook = null;
    }
    return found;
  }

  private boolean work(RowClaim claim) {
    try (claim) {
      if (claim.messages().isEmpty()) {
        return false;
      }
      List<Fate> fates = new ArrayList<>();
      List<Stored> fit = withoutDefects(claim.messages(), fates);
      if (!fit.isEmpty()) {
        publish(fit, claim, fates);
      }
      claim.settle(fates);
      reports.settled(fates, 0);
      return true;
    }
  }

  private List<Stored> withoutDefects(List<Stored> claimed, List<Fate> fates) {
    List<Stored> fit = new ArrayList<>();
    for (Stored stored : claimed) {
      if (stored.defect() == null) {
        fit.add(stored);
      } else {
        fates.add(decision.unfit(stored, stored.defect(), ticker.now()));
      }
    }
    return fit;
  }

  private void publish(List<Stored> fit, RowClaim claim, List<Fate> fates) {
    OpenFlight flight = new OpenFlight(fit, claim.transaction(), reports);
    Savepoint begin = publisher.isTransactional() ? begin(claim) : null;
    Duration deadline = settings.deadlines().publish();
    Ticker.Moment tookOff = ticker.now();
    new PublishTask(publisher, flight, ticker, deadline, () -> true).run();
    Thread
        .interrupted(); // the publisher's own interrupt must not end the worker; stop() asks first
    boolean waited = awaitAnswers(flight, tookOff);
    flight.land();
    if (begin != null) {
      requireIntact(claim, begin);
    }
    flightSize.learn(fit.size(), ticker.now().since(tookOff));
    Duration asked = null;
    for (int place = 0; place < fit.size(); place++) {
      Ack answer = flight.answer(place);
      if (answer == null && !waited) {
        continue; // closed before the deadline: silence says nothing of this message
      }
      if (answer instanceof Ack.Unavailable unavailable) {
        asked = Batch.longer(asked, unavailable.retryAfter());
      }
      Fate fate = decision.decide(fit.get(place), answer, ticker.now()).fate();
      if (fate != null) {
        fates.add(fate);
      }
    }
    pauseAfter(asked);
  }

  private static Savepoint begin(RowClaim claim) {
    try {
      return claim.transaction().setSavepoint();
    } catch (SQLException e) {
      throw StoreException.passing("the claim's transaction has no savepoints", e);
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

  private void pauseAfter(@Nullable Duration asked) {
    if (asked == null) {
      pausedAt = null;
      outages = 0;
      return;
    }
    Duration own = FIRST_PAUSE.multipliedBy(1L << Math.min(outages++, MOST_DOUBLINGS));
    pause = asked.compareTo(own) > 0 ? asked : own;
    pausedAt = ticker.now();
  }

  private boolean isPaused(Ticker.Moment now) {
    return pausedAt != null && now.since(pausedAt).compareTo(pause) < 0;
  }

  @Override
  public void lookEverywhere() {
    lastDueLook = null;
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
    return settings.deadlines().poll();
  }

  @Override
  public void close() {
    store.close();
  }
}
