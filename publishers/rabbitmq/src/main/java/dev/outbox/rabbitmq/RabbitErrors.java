package dev.outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import dev.outbox.publish.Ack;
import java.io.IOException;
import java.io.Serial;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong with RabbitMQ, and what it means; {@code docs/brokers/rabbitmq.md} has the table.
 */
final class RabbitErrors {
  private static final Pattern TOO_LARGE = Pattern.compile("is larger than .*?max size (\\d+)");
  private static final Pattern NO_TOPIC =
      Pattern.compile("access to topic '(.*)' in exchange (?:topic )?'(.*)' in vhost '");

  private RabbitErrors() {}

  /** A message that no broker would take: it was not sent, or closed the channel. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** The broker cannot take it now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason) {
      super(reason);
    }

    NotNow(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  /**
   * Down, without rights or without an exchange is what {@link Ack#of} knows by name. What the
   * client throws of input and output is of the connection, as a certificate that it does not
   * trust.
   */
  static Ack read(Throwable thrown) {
    if (thrown instanceof Refused) {
      return Ack.rejected(String.valueOf(thrown.getMessage()));
    }
    boolean isOfTheConnection = thrown instanceof NotNow || thrown instanceof IOException;
    return isOfTheConnection ? Ack.unavailable(thrown) : Ack.of(thrown);
  }

  /** The broker's limit, when it closed the channel because of a message above it. */
  static OptionalLong sizeLimit(ShutdownSignalException closed) {
    if (closed.getReason() instanceof AMQP.Channel.Close reason) {
      Matcher matcher = TOO_LARGE.matcher(reason.getReplyText());
      if (reason.getReplyCode() == AMQP.PRECONDITION_FAILED && matcher.find()) {
        return OptionalLong.of(Long.parseLong(matcher.group(1)));
      }
    }
    return OptionalLong.empty();
  }

  /** Where a message went that closed its channel because the user may not write this topic. */
  static @Nullable Destination refusedTopic(ShutdownSignalException closed) {
    if (closed.getReason() instanceof AMQP.Channel.Close reason
        && reason.getReplyCode() == AMQP.ACCESS_REFUSED) {
      Matcher matcher = NO_TOPIC.matcher(reason.getReplyText());
      return matcher.find() ? new Destination(matcher.group(2), matcher.group(1)) : null;
    }
    return null;
  }

  static String tooLarge(long size, long limit) {
    return "payload has %d bytes, the limit of RabbitMQ is %d; raise max_message_size in rabbitmq.conf, make the payload smaller, or put it into a store of your own and send its address"
        .formatted(size, limit);
  }
}
