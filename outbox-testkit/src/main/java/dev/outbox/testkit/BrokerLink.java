package dev.outbox.testkit;

import dev.outbox.message.Envelope;
import dev.outbox.testkit.internal.broker.ArrivalLog;
import dev.outbox.testkit.internal.broker.Availability;
import dev.outbox.testkit.internal.broker.FaultScript;
import java.net.ConnectException;

/**
 * A sender's connection to an in-memory broker, which may break on the way.
 *
 * <p>Safe for use by many threads.
 */
final class BrokerLink {
  private final Availability availability;
  private final FaultScript script;
  private final ArrivalLog log;
  private int left = Integer.MAX_VALUE;

  BrokerLink(Availability availability, FaultScript script, ArrivalLog log) {
    this.availability = availability;
    this.script = script;
    this.log = log;
  }

  Availability availability() {
    return availability;
  }

  /** Sends one envelope; returning is the confirmation. */
  void send(Envelope envelope) throws Exception {
    availability.requireUp();
    requireWhole();
    Sending sending = new Sending(envelope, this);
    for (BrokerFault fault : script.faultsFor(envelope)) {
      fault.strike(sending);
    }
    use();
    sending.arriveAt(log);
  }

  /** Breaks after {@code more} more envelopes, or earlier if it was to. */
  synchronized void cutAfter(int more) {
    left = Math.min(left, more);
  }

  private synchronized void requireWhole() throws ConnectException {
    if (left == 0) {
      throw new ConnectException("the in-memory broker closed the connection");
    }
  }

  private synchronized void use() throws ConnectException {
    requireWhole();
    if (left != Integer.MAX_VALUE) {
      left--;
    }
  }
}
