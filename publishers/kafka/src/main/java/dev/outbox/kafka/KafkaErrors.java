package dev.outbox.kafka;

import dev.outbox.publish.Ack;
import java.io.Serial;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** What the exceptions of a producer mean; {@code docs/brokers/kafka.md} has the table. */
final class KafkaErrors {
  /** A time that the topic does not take, and the first that it takes. */
  private static final Pattern TIME =
      Pattern.compile("^Timestamp (\\d+) of message .* should be within \\[(-?\\d+), ");

  private KafkaErrors() {}

  /** A message that no broker would take: it was not sent. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** It cannot be sent now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason, Throwable cause) {
      super(reason, cause);
    }
  }

  /** Down, without rights or without a topic is what {@link Ack#of} knows by name. */
  static Ack read(Throwable thrown) {
    if (isOfTheMessage(thrown)) {
      String text = String.valueOf(thrown.getMessage());
      boolean ours = thrown instanceof Refused;
      return Ack.rejected(ours ? text : thrown.getClass().getSimpleName() + ": " + text);
    }
    if (isOfANeighbour(thrown)) {
      return Ack.notSent("Kafka refused another message of its request");
    }
    boolean isOfTheProducer = thrown instanceof NotNow || isClosed(thrown) || isErrorState(thrown);
    return isOfTheProducer ? Ack.unavailable(thrown) : Ack.of(thrown);
  }

  /** No later send of this producer goes well, and it says so in its text only. */
  static boolean isErrorState(@Nullable Throwable thrown) {
    return thrown != null
        && thrown.getClass() == KafkaException.class
        && String.valueOf(thrown.getMessage()).contains("in an error state");
  }

  private static boolean isOfTheMessage(Throwable thrown) {
    return thrown instanceof Refused
        || thrown instanceof RecordTooLargeException
        || thrown instanceof RecordBatchTooLargeException
        || thrown instanceof InvalidTopicException
        || isOfTheRecord(thrown);
  }

  /**
   * Of several times that a broker refuses in a batch, the producer keeps the text only. One that
   * is not too old is ahead of the broker's clock, which gets there.
   */
  private static boolean isOfTheRecord(Throwable thrown) {
    if (!(thrown instanceof InvalidRecordException)
        && !(thrown instanceof InvalidTimestampException)) {
      return false;
    }
    Matcher time = TIME.matcher(String.valueOf(thrown.getMessage()));
    return time.find()
        ? Long.parseLong(time.group(1)) < Long.parseLong(time.group(2))
        : thrown instanceof InvalidRecordException;
  }

  /** A broker takes nothing of a batch in which it refuses one record. */
  private static boolean isOfANeighbour(Throwable thrown) {
    return thrown.getClass() == KafkaException.class
        && String.valueOf(thrown.getMessage()).contains("part of a batch");
  }

  /** The producer says so in its text only. */
  private static boolean isClosed(Throwable thrown) {
    String text = String.valueOf(thrown.getMessage());
    return (thrown instanceof IllegalStateException || thrown.getClass() == KafkaException.class)
        && text.contains("close");
  }
}
