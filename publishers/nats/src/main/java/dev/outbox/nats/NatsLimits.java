package dev.outbox.nats;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import io.nats.client.impl.Headers;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What NATS can hold: a subject, a block of headers, and the size of a message.
 *
 * <p>Immutable.
 */
record NatsLimits(NatsMapping mapping, long maxPayload) implements MessageLimits {
  /** What a server allows by default. */
  static final long DEFAULT_PAYLOAD = 1024 * 1024;

  /** JetStream's own. */
  private static final int MAX_HEADERS = 65_535;

  /** A line of the protocol has 4,096 bytes, with the subject for the answer and two numbers. */
  private static final int MAX_SUBJECT = 3_900;

  private static final Pattern SUBJECT =
      Pattern.compile("[^\\s\\p{Cntrl}.*>]+(?:\\.[^\\s\\p{Cntrl}.*>]+)*");

  @Override
  public @Nullable String refusal(Envelope envelope) {
    String names = ofNames(envelope, mapping.subject(envelope));
    if (names != null) {
      return names;
    }
    Headers headers = mapping.headers(envelope);
    String refusal = ofHeaders(headers);
    if (refusal != null || envelope.isUnresolved()) {
      return refusal;
    }
    try {
      return ofSize(headers, mapping.body(envelope));
    } catch (IllegalArgumentException e) { // that of a CloudEvent
      return e.getMessage();
    }
  }

  /** What is wrong with the subject or the names of headers, or null. */
  @Nullable String ofNames(Envelope envelope, @Nullable String subject) {
    if (subject == null) {
      return "there is no subject for a message of topic %s; correct the function that subject(..) was given"
          .formatted(envelope.topic());
    }
    String refusal = ofSubject(subject);
    if (refusal != null) {
      return refusal;
    }
    String header = mapping.reserved(envelope);
    return header == null
        ? null
        : "header '%s' has a name that NATS or the publisher uses; rename it".formatted(header);
  }

  private static @Nullable String ofSubject(String subject) {
    if (!SUBJECT.matcher(subject).matches()) {
      return "subject is '%s', NATS takes words without spaces, *, > and control characters, with a dot between two of them; rename the topic, or map it with NatsPublisher.builder(options).subject(..)"
          .formatted(subject);
    }
    if (subject.startsWith("$") || subject.startsWith("_INBOX.")) {
      return "subject is '%s', and NATS keeps what begins with $ or _INBOX for itself; rename the topic, or map it with NatsPublisher.builder(options).subject(..)"
          .formatted(subject);
    }
    int length = subject.getBytes(StandardCharsets.UTF_8).length;
    return length <= MAX_SUBJECT
        ? null
        : "subject '%s' has %d bytes, NATS takes %d; shorten it"
            .formatted(subject, length, MAX_SUBJECT);
  }

  /** That the headers are too large, or null. */
  static @Nullable String ofHeaders(Headers headers) {
    int size = headers.serializedLength();
    return size <= MAX_HEADERS
        ? null
        : "headers have %d bytes, JetStream takes %d; shorten them".formatted(size, MAX_HEADERS);
  }

  /** That headers and body together are too large, or null. */
  @Nullable String ofSize(Headers headers, byte[] body) {
    long size = headers.serializedLength() + (long) body.length;
    return size <= maxPayload
        ? null
        : "headers and payload have %d bytes, max_payload of NATS is %d; raise it in the server's configuration and with NatsPublisher.builder(options).maxPayload(..), make the payload smaller, or put it into a store of your own and send its address"
            .formatted(size, maxPayload);
  }
}
