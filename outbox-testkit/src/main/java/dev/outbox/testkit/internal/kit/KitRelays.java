package dev.outbox.testkit.internal.kit;

import dev.outbox.Relay;
import dev.outbox.internal.publish.ObservedPublisher;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/** The relays of a kit: the one driven by hand, and those on threads. Used by one thread. */
public final class KitRelays implements AutoCloseable {
  /** The names of the relays over a database, and of those on threads, begin with it. */
  static final String NAME = "kit";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofMillis(5);

  private final KitParts parts;
  private final FailedAssertion ofDrains = new FailedAssertion();
  private final FailedAssertion ofThreads = new FailedAssertion();
  private final Publisher publisher;
  private final RetryPolicy retry;
  private final ManualRelay byHand;
  private final ToIntFunction<ManualRelay> unanswered;
  private final List<Relay> started = new ArrayList<>();

  /** Sends with {@code publisher}; {@code unanswered} counts what has no answer from it. */
  public KitRelays(
      KitParts parts,
      Publisher publisher,
      RetryPolicy retry,
      ToIntFunction<ManualRelay> unanswered) {
    this.parts = parts;
    Publisher sent = parts.sent(publisher);
    this.publisher = new ObservedPublisher(sent, ofThreads); // what fails before a send, too
    this.retry = retry;
    this.byHand = parts.relay(new ObservedPublisher(sent, ofDrains)).retry(retry).build();
    this.unanswered = unanswered;
  }

  /** True when a relay of this name is one of a kit. */
  public static boolean isOfAKit(String name) {
    return name.startsWith(NAME + "-");
  }

  public ManualRelay byHand() {
    return byHand;
  }

  /**
   * Delivers what is due, and leaves the lanes to others.
   *
   * @throws AssertionError when one failed in the publisher or in a condition of the broker
   * @throws IllegalStateException when something that is due could not be delivered
   */
  public void deliver() {
    forgetThoseOfDrains();
    rethrowAfter(this::deliverAll);
  }

  /**
   * A test that drains by hand looks itself at what has failed, unless a drain is yet to see it.
   */
  private void forgetThoseOfDrains() {
    if (unanswered.applyAsInt(byHand) == 0) {
      ofDrains.forget();
    }
  }

  private <E extends Exception> void rethrowAfter(FailedAssertion.Work<E> work) throws E {
    ofThreads.rethrowAfter(() -> ofDrains.rethrowAfter(work));
  }

  private void deliverAll() {
    int left = drain();
    if (left > 0) {
      throw new IllegalStateException(
          "%d messages have no answer from the publisher, for which deliver() waits %s at most; let it answer, or call relay().drainNow(), which does not wait"
              .formatted(left, PATIENCE));
    }
    parts.requireAlone();
  }

  /**
   * As {@link #deliver} to a broker without faults; an assertion that fails is of a test that is
   * over, and is forgotten. Returns how many messages have no answer.
   */
  public int deliverLeftovers(InMemoryBroker broker) {
    broker.heal();
    try {
      int left = drain();
      if (left == 0) {
        parts.requireAlone();
      }
      return left;
    } finally {
      ofDrains.forget();
      ofThreads.forget();
    }
  }

  /**
   * Waits until that many messages were delivered.
   *
   * @throws AssertionError when one failed in the publisher, or when they were not within {@code
   *     timeout}
   */
  public void awaitDelivered(int count, Duration timeout) throws InterruptedException {
    rethrowAfter(() -> parts.requireDelivered(count, timeout));
  }

  private int drain() {
    long begun = System.nanoTime();
    byHand.drainNow();
    int left = unanswered.applyAsInt(byHand);
    while (left > 0 && System.nanoTime() - begun < PATIENCE.toNanos() && pause()) {
      byHand.drainNow();
      left = unanswered.applyAsInt(byHand);
    }
    if (left == 0) {
      byHand.windDown();
    }
    return left;
  }

  /** False when this thread is interrupted. */
  private static boolean pause() {
    LockSupport.parkNanos(LOOK.toNanos());
    return !Thread.currentThread().isInterrupted();
  }

  /** A relay on threads. */
  public Relay start() {
    forgetThoseOfDrains();
    byHand.windDown();
    Relay relay = Relay.builder(parts.store(), publisher).name(NAME).retry(retry).start();
    started.add(relay);
    return relay;
  }

  /** Closes all of them. */
  @Override
  public void close() {
    try {
      started.forEach(Relay::close);
    } finally {
      byHand.close();
    }
  }
}
