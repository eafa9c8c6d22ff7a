package dev.outbox.jms;

import dev.outbox.publish.Ack;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.ResourceAllocationException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with a broker of JMS, and what it means; {@code docs/brokers/jms.md} has the
 * table.
 */
final class JmsErrors {
  private JmsErrors() {}

  /** A message that no broker would take: it was not sent. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** The broker cannot take it now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /** The broker has no such queue or topic, and makes none. */
  static final class NoDestination extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NoDestination(JmsDestination destination, Exception cause) {
      super("no %s: %s".formatted(destination, cause.getMessage()), cause);
    }
  }

  /** Down, full or without rights is what {@link Ack#of} knows by name. */
  static Ack read(Throwable thrown) {
    if (thrown instanceof Refused
        || thrown instanceof MessageFormatException
        || thrown instanceof MessageFormatRuntimeException) {
      return Ack.rejected(String.valueOf(thrown.getMessage()));
    }
    return thrown instanceof NotNow || isOfTheDestination(thrown)
        ? Ack.unavailable(thrown)
        : Ack.of(thrown);
  }

  private static boolean isOfTheDestination(Throwable thrown) {
    return thrown instanceof NoDestination
        || thrown instanceof InvalidDestinationException
        || thrown instanceof InvalidDestinationRuntimeException;
  }

  /** True when a send that ended so says nothing about the connection. */
  static boolean isOfOneSend(Throwable thrown) {
    return isOfTheDestination(thrown)
        || thrown instanceof Refused
        || thrown instanceof IllegalArgumentException
        || thrown instanceof MessageFormatException
        || thrown instanceof JMSSecurityException
        || thrown instanceof ResourceAllocationException
        || String.valueOf(thrown.getCause()).contains("AddressFull");
  }

  /** With the cause at hand, which a log would not show. */
  static NotNow connecting(Exception thrown) {
    Throwable cause = thrown.getCause();
    return new NotNow(
        "cannot connect: " + thrown.getMessage() + (cause == null ? "" : " (" + cause + ")"),
        thrown);
  }
}
