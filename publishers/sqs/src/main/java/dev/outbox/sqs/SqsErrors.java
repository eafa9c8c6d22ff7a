package dev.outbox.sqs;

import dev.outbox.publish.Ack;
import java.io.Serial;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/** What goes wrong with SQS, and what it means; {@code docs/brokers/sqs.md} has the table. */
final class SqsErrors {
  /** Codes that speak of a message. */
  private static final Set<String> OF_THE_MESSAGE =
      Set.of(
          "InvalidMessageContents",
          "InvalidParameterValue",
          "InvalidAttributeValue",
          "InvalidAttributeName",
          "MessageTooLong",
          "BatchRequestTooLong");

  private SqsErrors() {}

  /** A message that SQS would not take, or did not. */
  static final class Refused extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** SQS cannot take it now, for a reason that is not of the message. */
  static final class NotNow extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    NotNow(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  /** It was not sent, because it has waited for too long, or the publisher was closed. */
  static final class TooLate extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    TooLate() {
      super("no request was free in time; a higher requestsAtOnce(..) has more of them");
    }
  }

  /**
   * What a client throws is of the connection, of its credentials or of its region; what the
   * service says is of the queue or of our access to it, but for the codes that speak of a message.
   */
  static Ack read(Throwable thrown) {
    if (thrown instanceof Refused || isOfTheMessage(thrown)) {
      return Ack.rejected(String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof TooLate) {
      return Ack.notSent(String.valueOf(thrown.getMessage()));
    }
    return thrown instanceof NotNow
            || thrown instanceof SdkClientException
            || thrown instanceof AwsServiceException
        ? Ack.unavailable(thrown)
        : Ack.of(thrown);
  }

  /** True when one message makes SQS refuse a request, and so all others in it. */
  static boolean isOfTheMessage(Throwable thrown) {
    return thrown instanceof AwsServiceException service
        && service.awsErrorDetails() != null
        && OF_THE_MESSAGE.contains(simple(service.awsErrorDetails().errorCode()));
  }

  /** The code of the query protocol and of the JSON protocol. */
  private static String simple(@Nullable String code) {
    String known = String.valueOf(code);
    return known.substring(known.lastIndexOf('.') + 1);
  }

  /** What SQS says of one entry of a batch. */
  static RuntimeException of(BatchResultErrorEntry entry) {
    String text = "%s: %s".formatted(entry.code(), entry.message());
    boolean ofTheMessage =
        Boolean.TRUE.equals(entry.senderFault()) && OF_THE_MESSAGE.contains(simple(entry.code()));
    return ofTheMessage ? new Refused(text) : new NotNow(text, null);
  }
}
