package dev.outbox.internal.relay.flight;

import dev.outbox.publish.Ack;

/**
 * How many messages may fly together after something took a whole flight: one, then twice as many
 * with each flight of which one is delivered. So a message that takes with it whatever it flies
 * with comes to fly alone, after as many flights as its place has digits.
 *
 * <p>Used by one thread.
 */
public final class SlowStart {
  private int most = Integer.MAX_VALUE;

  /** How many of {@code fitting} messages may fly. */
  public int of(int fitting) {
    return Math.min(fitting, most);
  }

  /** The next flight has one message. */
  public void restart() {
    most = 1;
  }

  /** Learns from a flight that has its answers. */
  public void learn(OpenFlight flight) {
    boolean outage = false;
    for (int place = 0; place < flight.aboard().size(); place++) {
      Ack answer = flight.answer(place);
      if (answer instanceof Ack.Delivered) {
        most = most > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : most * 2;
        return;
      }
      outage |= answer instanceof Ack.Unavailable;
    }
    if (outage) {
      restart();
    }
  }
}
