package dev.outbox.internal.publish.pace;

import dev.outbox.internal.publish.WrappingFlight;
import dev.outbox.internal.publish.WrappingPublisher;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * Another publisher, in which no send begins that could outlast its flight, so that nothing is
 * delivered after it was reported as failed.
 */
public record TimedPublisher(Publisher publisher, Duration longestSend)
    implements WrappingPublisher {
  /** More than a flight ever has, and few enough nanoseconds to count. */
  private static final Duration LONG = Duration.ofDays(1);

  /** A flight in which no send begins that could outlast it. Safe for use by many threads. */
  private record TimedFlight(Flight flight, long lastCall) implements WrappingFlight {
    @Override
    public boolean shouldStop() {
      return System.nanoTime() - lastCall >= 0 || flight.shouldStop();
    }
  }

  /**
   * @throws IllegalArgumentException when the time is not positive
   */
  public TimedPublisher {
    if (longestSend.isNegative() || longestSend.isZero()) {
      throw new IllegalArgumentException(
          "longestSend is " + longestSend + ", it must be positive; name the client's time-out");
    }
  }

  @Override
  public void publish(Flight flight) throws Exception {
    Duration left = Duration.between(Instant.now(), flight.deadline());
    if (left.compareTo(longestSend) <= 0) {
      Ack tooShort =
          Ack.unavailable(
              new IllegalStateException(
                  "the flight has %s and a send may take %s; set publishDeadline(..) of the publisher to that of the relay, or give the client shorter time-outs"
                      .formatted(left, longestSend)));
      flight.envelopes().forEach(envelope -> flight.ack(envelope, tooShort));
      return;
    }
    Duration open = (left.compareTo(LONG) < 0 ? left : LONG).minus(longestSend);
    publisher.publish(new TimedFlight(flight, System.nanoTime() + open.toNanos()));
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new TimedPublisher(publisher.classify(classifier), longestSend);
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new TimedPublisher(publisher.observed(observer), longestSend);
  }
}
