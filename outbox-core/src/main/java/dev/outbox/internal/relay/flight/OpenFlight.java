package dev.outbox.internal.relay.flight;

import dev.outbox.internal.publish.pace.LandingFlight;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A flight from take-off to landing: collects one answer for each envelope.
 *
 * <p>Safe for use by many threads: publishers answer from anywhere, the loop looks. It takes off at
 * most once and lands at most once; answers after the landing are ignored and counted.
 */
public final class OpenFlight implements LandingFlight {
  private static final int LAST_CALL_PART = 10;

  private final List<StoredEnvelope> aboard;
  private final List<Envelope> envelopes;
  private final EnvelopePlaces places;
  private final AtomicReferenceArray<@Nullable Ack> answers;
  private final Ticker.@Nullable Moment[] answered;
  private final AtomicInteger open;
  private final @Nullable Connection transaction;
  private final OptionalLong fencingToken;
  private final FlightObserver flightObserver;

  private final CompletableFuture<Void> landed = new CompletableFuture<>();

  /** False while nothing waits for the end of this flight, if all of it is delivered. */
  private volatile boolean awaited;

  private final Ticker.Moment made;
  private boolean recalled;
  private BooleanSupplier leaseIsSure = () -> true;
  private @Nullable Throwable thrown;
  private State state = State.QUEUED;
  private Ticker.@Nullable Moment tookOff;
  private Ticker.Moment lastAnswer;
  private Instant deadline = Instant.MAX;
  private Duration time = Duration.ZERO;
  private Duration lastCall = Duration.ZERO;

  private enum State {
    QUEUED,
    IN_FLIGHT,
    LANDED,
    GROUNDED
  }

  /** A flight of a claim by rows, in its transaction; without one it has none to offer. */
  public OpenFlight(
      List<StoredEnvelope> aboard,
      @Nullable Connection transaction,
      FlightObserver flightObserver) {
    this(aboard, transaction, OptionalLong.empty(), flightObserver);
    awaited = true;
  }

  /**
   * A flight under a lease of this epoch; its end is signalled once it is {@link #await awaited}.
   */
  public OpenFlight(List<StoredEnvelope> aboard, long epoch, FlightObserver flightObserver) {
    this(aboard, null, OptionalLong.of(epoch), flightObserver);
  }

  private OpenFlight(
      List<StoredEnvelope> aboard,
      @Nullable Connection transaction,
      OptionalLong fencingToken,
      FlightObserver flightObserver) {
    this.fencingToken = fencingToken;
    this.aboard = List.copyOf(aboard);
    this.envelopes = this.aboard.stream().map(StoredEnvelope::envelope).toList();
    this.places = new EnvelopePlaces(envelopes);
    this.answers = new AtomicReferenceArray<>(envelopes.size());
    this.answered = new Ticker.Moment[envelopes.size()];
    this.open = new AtomicInteger(envelopes.size());
    this.transaction = transaction;
    this.flightObserver = flightObserver;
    this.made = flightObserver.now();
    this.lastAnswer = made;
  }

  /**
   * Begins the time of the deadline; no send is to begin while the lease is not sure. False when
   * the flight was grounded before.
   */
  synchronized boolean takeOff(Ticker.Moment now, Duration time, BooleanSupplier leaseIsSure) {
    this.leaseIsSure = leaseIsSure;
    return takeOff(now, time);
  }

  /** Begins the time of the deadline. False when the flight was grounded before. */
  public synchronized boolean takeOff(Ticker.Moment now, Duration time) {
    if (state != State.QUEUED) {
      return false;
    }
    state = State.IN_FLIGHT;
    tookOff = now;
    deadline = now.wall().plus(time);
    this.time = time;
    lastCall = time.minusNanos(time.toNanos() / LAST_CALL_PART);
    return true;
  }

  /** Keeps a queued flight on the ground: true when nothing of it was or will be published. */
  public synchronized boolean ground() {
    if (state == State.QUEUED) {
      state = State.GROUNDED;
      flightObserver.flightIsOver();
    }
    return state == State.GROUNDED;
  }

  /** Asks the publisher to begin no other send: the lane is wanted elsewhere. */
  public synchronized void recall() {
    recalled = true;
    awaited = true;
  }

  /** True when it was made less than {@code time} ago. */
  public boolean isYoungerThan(Duration time, Ticker.Moment now) {
    return now.isWithin(time, made);
  }

  /** From now on the last answer is signalled. True when it came before. */
  public boolean await() {
    awaited = true; // before the look: the publisher counts first, and then asks this
    return isAnswered();
  }

  /** True when the flight never took off and never will. */
  public synchronized boolean isGrounded() {
    return state == State.GROUNDED;
  }

  /** The time in flight, or null before take-off. */
  public synchronized @Nullable Duration airborne(Ticker.Moment now) {
    return tookOff == null ? null : now.surelySince(tookOff);
  }

  /** When the last answer came; when this was made, if none has. */
  public synchronized Ticker.Moment lastAnswer() {
    return lastAnswer;
  }

  /** The publisher threw, and did not only answer. */
  synchronized void threw(Throwable thrown) {
    this.thrown = thrown;
  }

  /** What the publisher threw, or null. */
  public synchronized @Nullable Throwable thrown() {
    return thrown;
  }

  /** This is the answer for all, whatever they were answered: their effects were undone. */
  public synchronized void overrule(Ack ack) {
    for (int place = 0; place < envelopes.size(); place++) {
      answers.set(place, ack);
      answered[place] = null;
    }
  }

  /** No answer counts from here on. */
  public void land() {
    synchronized (this) {
      state = State.LANDED;
    }
    landed.complete(null);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
  public void whenLanded(Runnable then) {
    landed.thenRun(then);
  }

  /** It never lands when its loop has ended: then its time is the limit. */
  @Override
  public synchronized boolean isOver() {
    return state == State.LANDED || hasFlown(time);
  }

  /** True when it has landed, and its time is over. */
  public synchronized boolean isOverdue() {
    return state == State.LANDED && hasFlown(time);
  }

  private boolean hasFlown(Duration time) {
    return tookOff != null && flightObserver.now().surelySince(tookOff).compareTo(time) >= 0;
  }

  public boolean isAnswered() {
    return open.get() == 0;
  }

  /** How many have no answer. */
  public int unanswered() {
    return open.get();
  }

  /** The answer for the message at {@code place}, or null. */
  @Nullable
  public Ack answer(int place) {
    return answers.get(place);
  }

  /** When the publisher answered the message at {@code place}, or null. */
  public synchronized Ticker.@Nullable Moment answered(int place) {
    return answered[place];
  }

  public List<StoredEnvelope> aboard() {
    return aboard;
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public synchronized Instant deadline() {
    return deadline;
  }

  /**
   * Once true it stays true: a lease in doubt may be sure again, and what is sent then would
   * overtake what was left out meanwhile.
   */
  @Override
  public synchronized boolean shouldStop() {
    if (state != State.IN_FLIGHT) {
      return true;
    }
    recalled |= hasFlown(lastCall) || !leaseIsSure.getAsBoolean();
    return recalled;
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    int place = places.of(envelope);
    if (place < 0) {
      flightObserver.strangersAnswer(envelope);
    } else if (!record(place, ack)) {
      flightObserver.ignoredAnswer();
    } else if (open.decrementAndGet() == 0 && awaited) {
      flightObserver.flightIsOver();
    }
  }

  private synchronized boolean record(int place, Ack ack) {
    if (state != State.IN_FLIGHT || !answers.compareAndSet(place, null, given(ack))) {
      return false;
    }
    lastAnswer = flightObserver.now();
    answered[place] = lastAnswer;
    if (!(ack instanceof Ack.Delivered)) {
      awaited = true;
    }
    return true;
  }

  /** A null would leave the place open and count it as answered. */
  private static Ack given(@Nullable Ack ack) {
    return ack == null
        ? Ack.failed(
            new NullPointerException(
                "the publisher answered null; give an Ack, such as Ack.delivered()"))
        : ack;
  }

  @Override
  public OptionalLong fencingToken() {
    return fencingToken;
  }

  @Override
  public Connection transaction() {
    if (transaction == null) {
      throw new UnsupportedOperationException(
          "this flight was claimed by lanes, which keep no transaction open; a transactional publisher needs row claims");
    }
    return transaction;
  }
}
