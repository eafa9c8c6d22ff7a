package dev.outbox.testkit.internal.broker;

import dev.outbox.publish.Ack;

/** How a send to the in-memory broker says that its envelope can never be delivered. */
public final class BrokerRejection extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  public BrokerRejection(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** What a failed send means, as the broker's own publishers answer it. */
  public static Ack read(Throwable cause) {
    return cause instanceof BrokerRejection rejection
        ? Ack.rejected(rejection.reason)
        : Ack.of(cause);
  }
}
