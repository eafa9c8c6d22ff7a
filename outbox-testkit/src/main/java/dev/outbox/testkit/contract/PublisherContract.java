package dev.outbox.testkit.contract;

import org.junit.jupiter.api.Nested;

/**
 * What every publisher must do, whatever its broker: answer each envelope once, truly and in time,
 * keep the order that it promises, and carry messages unchanged. Extend it, say how to open the
 * publisher with an empty broker, and run it as a JUnit test.
 */
public abstract class PublisherContract {
  /** For subclasses. */
  protected PublisherContract() {}

  /** Opens the publisher with an empty broker. The case closes it. */
  protected abstract PublisherEnvironment open() throws Exception;

  /** Every envelope gets one answer, in time, and a true one. */
  @Nested
  class Sending extends SendingCases {
    Sending() {
      super(PublisherContract.this::open);
    }
  }

  /** What the publisher promises of the messages of one key. */
  @Nested
  class Keeping_order extends SendingOrderCases {
    Keeping_order() {
      super(PublisherContract.this::open);
    }
  }

  /** A broker that is down, and messages that are refused. */
  @Nested
  class Not_taken extends NotTakenCases {
    Not_taken() {
      super(PublisherContract.this::open);
    }
  }

  /** One message that makes the broker close the channel, through a relay. */
  @Nested
  class Closing_the_channel extends ClosedChannelCases {
    Closing_the_channel() {
      super(PublisherContract.this::open);
    }
  }

  /** What arrives is what was sent. */
  @Nested
  class Carrying extends CarryingCases {
    Carrying() {
      super(PublisherContract.this::open);
    }
  }
}
