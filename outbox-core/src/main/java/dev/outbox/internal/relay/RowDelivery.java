package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.batch.FlightTerms;
import dev.outbox.internal.relay.flight.FlightSize;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.PublishTask;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.flight.SlowStart;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.internal.relay.topic.TopicWatch;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one claim of rows, in the claim's transaction.
 *
 * <p>Used by the worker's thread only; publishers answer into the flight, from any thread.
 */
final class RowDelivery {
  private final Publisher publisher;
  private final RelaySettings settings;
  private final DeliveryRules deliveryRules;
  private final TopicWatch topics;
  private final RelayState relayState;
  private final RelayEvents relayEvents;
  private final Ticker ticker;
  private final IdleWait answers;
  private final FlightSize flightSize;
  private final SlowStart slowStart = new SlowStart();

  /** How many payloads, as the last claim had them, fit into memory. */
  private long fitting = Long.MAX_VALUE;

  private boolean interrupted;
  private @Nullable Undone undone;

  /**
   * A message that flew alone when its claim was undone, and why it was. Another worker may have
   * counted that since: then it has another attempt, or after a replay another row.
   */
  private record Undone(long row, MessageId id, int attempts, StoreException why) {
    static Undone of(StoredEnvelope message, StoreException why) {
      RetryState retryState = message.retryState();
      int attempts = retryState == null ? 0 : retryState.attempts();
      return new Undone(message.id(), message.envelope().id(), attempts, why);
    }
  }

  /** {@code answers} is signalled when a flight is over. */
  RowDelivery(
      Publisher publisher,
      RelaySettings settings,
      DeliveryRules deliveryRules,
      TopicWatch topics,
      RelayState relayState,
      RelayEvents relayEvents,
      IdleWait answers,
      Ticker ticker) {
    this.publisher = publisher;
    this.settings = settings;
    this.deliveryRules = deliveryRules;
    this.topics = topics;
    this.relayState = relayState;
    this.relayEvents = relayEvents;
    this.answers = answers;
    this.ticker = ticker;
    this.flightSize = new FlightSize(settings.deadlines().publish(), settings.volume().batch());
  }

  /**
   * The most messages to claim: those that are published within the deadline and fit into memory,
   * few after an outage or a flight that was undone.
   */
  int most() {
    return slowStart.of((int) Math.min(flightSize.get(), fitting));
  }

  /**
   * Publishes what the claim holds and settles it. True when a message got its fate, or made room
   * for another and is to be claimed again.
   */
  boolean deliver(RowClaim claim) {
    try (claim) {
      List<StoredEnvelope> claimed = claim.messages();
      if (claimed.isEmpty()) {
        return false;
      }
      long each = Math.max(1, Batch.bytes(claimed) / claimed.size());
      fitting = Math.max(1, settings.volume().bytes() / each);
      boolean down = topics.isDown(ticker.now());
      Batch batch =
          new Batch(
              claimed,
              down ? Batch.Held.LEAVE : Batch.Held.PARK_UNLESS_FULL,
              Set.of(),
              deliveryRules);
      List<StoredEnvelope> aboard = batch.takeFlight(terms(claimed.size()));
      try {
        publish(aboard, claim, batch);
        settle(claim, batch.fates());
      } catch (StoreException e) {
        undone(aboard, e);
        throw e;
      }
      return !batch.fates().isEmpty() || batch.hasPassedOver();
    } finally {
      passOnInterrupt();
    }
  }

  private void settle(RowClaim claim, List<Fate> fates) {
    try {
      Recording.settle(
          fates.size(),
          0,
          () -> {
            claim.settle(fates);
            return claim;
          });
    } finally {
      relayState.topicReleases.settled(fates); // after a failure too: they may be written
    }
    relayEvents.settled(fates, 0);
  }

  /**
   * The next claims are small, so that a message that ends each of its transactions comes to fly
   * alone. Then it has failed: no transaction is left to write that in, so the next one does.
   */
  private void undone(List<StoredEnvelope> aboard, StoreException why) {
    if (!publisher.isTransactional() || !why.isOfItsRows()) {
      return;
    }
    slowStart.restart();
    if (why.isTransient() && aboard.size() == 1) {
      undone = Undone.of(aboard.get(0), why);
    }
  }

  private @Nullable Fate undone(StoredEnvelope message, Ticker.Moment now) {
    Undone last = undone;
    if (last == null || !last.equals(Undone.of(message, last.why()))) {
      return null;
    }
    undone = null;
    return deliveryRules.decision().decide(message, Ack.failed(last.why()), now).fate();
  }

  /** Only after the settle: a database in this process may not write for an interrupted thread. */
  private void passOnInterrupt() {
    if (interrupted) {
      interrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  private FlightTerms terms(int most) {
    Ticker.Moment now = ticker.now();
    return new FlightTerms(
        Set.of(), Ordering.PIPELINED, most, message -> undone(message, now), now);
  }

  private void publish(List<StoredEnvelope> aboard, RowClaim claim, Batch batch) {
    if (aboard.isEmpty()) {
      return;
    }
    OpenFlight flight = new OpenFlight(aboard, claim.transaction(), relayEvents);
    Ticker.Moment tookOff = ticker.now();
    relayEvents.handedOut(flight);
    boolean waited;
    try {
      waited = fly(flight, claim, tookOff);
    } catch (RuntimeException e) {
      // the claim is gone, and with it the flight: its messages come back through the gates
      deliveryRules.withdraw(flight.envelopes());
      throw e;
    }
    Ticker.Moment now = ticker.now();
    Duration airborne = now.surelySince(tookOff);
    flightSize.learn(aboard.size(), airborne);
    slowStart.learn(flight);
    relayEvents.landed(flight, airborne);
    if (waited) {
      batch.land(flight, now);
    } else {
      batch.landAnswered(flight, now); // closed before the deadline: silence says nothing
    }
  }

  /** False when a close did not wait for the answers. */
  private boolean fly(OpenFlight flight, RowClaim claim, Ticker.Moment tookOff) {
    ClaimSavepoint claimSavepoint =
        publisher.isTransactional() ? ClaimSavepoint.beginIn(claim) : null;
    Duration deadline = settings.deadlines().publish();
    relayState.stuckWorkers.publish(
        settings.name(), new PublishTask(publisher, flight, ticker, deadline, () -> true));
    Thread
        .interrupted(); // the publisher's own interrupt must not end the worker; stop() asks first
    boolean waited = awaitAnswers(flight, tookOff);
    flight.land();
    if (claimSavepoint != null) {
      claimSavepoint.undoIfThrown(flight);
      if (!claimSavepoint.end(flight)) {
        slowStart.restart();
      }
    }
    return waited;
  }

  private Duration leftOf(Ticker.Moment tookOff) {
    return settings.deadlines().publish().minus(ticker.now().surelySince(tookOff));
  }

  /** False when the wait was interrupted, as a close does that has run out of patience. */
  private boolean awaitAnswers(OpenFlight flight, Ticker.Moment tookOff) {
    try {
      Duration left = leftOf(tookOff);
      while (!flight.isAnswered() && !left.isNegative() && !left.isZero()) {
        // a test may not move its clock
        left = answers.await(left) ? leftOf(tookOff) : Duration.ZERO;
      }
      return true;
    } catch (InterruptedException e) {
      interrupted = true;
      return false;
    }
  }
}
