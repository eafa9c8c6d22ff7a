package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.batch.FlightTerms;
import dev.outbox.internal.relay.flight.FlightObserver;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.SlowStart;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a lane is working on: at most one batch, and of it at most one flight.
 *
 * <p>Used by the loop thread only.
 */
final class LaneWork {
  private final DeliveryRules deliveryRules;
  private final long epoch;
  private @Nullable Batch batch;
  private @Nullable OpenFlight flight;
  private final SlowStart slowStart = new SlowStart();

  /** Under a lease of {@code epoch}. */
  LaneWork(DeliveryRules deliveryRules, long epoch) {
    this.epoch = epoch;
    this.deliveryRules = deliveryRules;
  }

  boolean isNone() {
    return batch == null;
  }

  /** Of the topics {@code leftBehind} earlier messages were passed over: none may overtake them. */
  void begin(List<StoredEnvelope> read, Batch.Held ofHeldTopics, Set<String> leftBehind) {
    batch = new Batch(read, ofHeldTopics, leftBehind, deliveryRules);
  }

  boolean hasWaiting() {
    return batch != null && batch.hasWaiting();
  }

  /** What is not in flight yet is forgotten: it stays in its table. */
  void dropWaiting() {
    if (batch != null) {
      batch.dropWaiting();
    }
  }

  /** How many of {@code fitting} messages may fly together. */
  int most(int fitting) {
    return slowStart.of(fitting);
  }

  /** Makes the next flight of the batch, unless one is in flight or nothing is left to fly. */
  void takeOff(FlightTerms terms, FlightObserver flightObserver) {
    if (batch != null && flight == null) {
      List<StoredEnvelope> aboard = batch.takeFlight(terms);
      flight = aboard.isEmpty() ? null : new OpenFlight(aboard, epoch, flightObserver);
    }
  }

  /** Nothing waits behind a message that flies alone, and what is decided is written before it. */
  void flyAlone() {
    dropWaiting(); // each is settled before the next is noted
    if (!fates().isEmpty()) {
      stayOnTheGround(); // whoever flies may die
    }
  }

  /** The flight that is queued or in flight, or null. */
  @Nullable OpenFlight flight() {
    return flight;
  }

  /** Takes the answers of the flight and what the absence of the others means. */
  void land(OpenFlight landing, Ticker.Moment now) {
    landing.land();
    flight = null;
    slowStart.learn(landing);
    if (batch != null) {
      batch.land(landing, now);
    }
  }

  /** Takes the answers that there are and gives up the rest of the flight. */
  void abandon(OpenFlight landing, Ticker.Moment now) {
    landing.land();
    flight = null;
    if (batch != null) {
      batch.dropWaiting();
      batch.landAnswered(landing, now);
    }
  }

  /** The flight never took off: its messages wait again. */
  void takeBack() {
    if (flight != null && batch != null) {
      batch.takeBack(flight);
      flight = null;
    }
  }

  /** As {@link #dropWaiting}, and what was to move only because of others. */
  void dropUntried() {
    if (flight != null && flight.ground()) {
      takeBack();
    }
    if (batch != null) {
      batch.dropUntried();
    }
  }

  /** The flight that was to take off is forgotten: it stays in its table. */
  void stayOnTheGround() {
    takeBack();
    dropWaiting();
  }

  /** Nothing more is to take off, and the publisher is to begin no other send. */
  void recall() {
    dropWaiting();
    if (flight != null) {
      flight.recall();
      if (flight.ground()) {
        stayOnTheGround();
      }
    }
  }

  /**
   * The answers to what is in flight no longer count; a publisher that does not return from it is
   * stuck as any other is.
   */
  void lose() {
    if (flight != null) {
      flight.land();
      deliveryRules.withdraw(flight.envelopes());
      flight = null;
    }
  }

  /** True when the batch has nothing more to publish. */
  boolean isFinished() {
    return flight == null && batch != null && !batch.hasWaiting();
  }

  /** The fates of the batch so far. */
  List<Fate> fates() {
    return batch == null ? List.of() : batch.fates();
  }

  /** Ends the batch if there is nothing of it to write; returns it then. */
  @Nullable Batch endWithoutFates() {
    return endWith(List.of());
  }

  /** Ends the batch if it is finished and these fates are all of its; returns it then. */
  @Nullable Batch endWith(List<Fate> written) {
    Batch over = isFinished() && written.size() == fates().size() ? batch : null;
    batch = over == null ? batch : null;
    return over;
  }

  /** How many messages are queued for the publisher or in flight. */
  int flying() {
    return flight == null ? 0 : flight.aboard().size();
  }

  /** How many messages are held in memory. */
  int size() {
    return (batch == null ? 0 : batch.size()) + flying();
  }

  /** The payload bytes held in memory. */
  long bytes() {
    return batch == null ? 0 : batch.bytes();
  }
}
