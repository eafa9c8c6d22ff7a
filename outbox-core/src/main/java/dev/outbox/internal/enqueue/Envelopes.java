package dev.outbox.internal.enqueue;

import dev.outbox.Claiming;
import dev.outbox.cluster.Origin;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.Layout;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.spi.settle.NewEnvelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages into what is written: encoded, with all headers, in a lane.
 *
 * <p>Safe for use by many threads.
 */
public record Envelopes(
    Layout layout,
    PayloadCodec codec,
    List<Supplier<Map<String, String>>> headerSources,
    Observers observers,
    int maxPayloadBytes,
    int maxHeaderBytes,
    MessageLimits limits) {

  /**
   * The message as it is written.
   *
   * @throws IllegalArgumentException when it is too large, has a key where rows are claimed, or is
   *     nothing that the broker can hold
   */
  public NewEnvelope of(Message message) {
    Payload payload = Objects.requireNonNull(message.payload(codec), "the codec returned null");
    String tooLarge =
        excess(
            "payload of topic " + message.topic(),
            payload.bytes().length,
            maxPayloadBytes,
            "raise Outbox.builder(store).maxPayload(bytes), or store a reference");
    if (tooLarge != null) {
      throw new IllegalArgumentException(tooLarge);
    }
    Envelope envelope = observed(envelope(message, payload));
    return new NewEnvelope(lane(envelope), envelope, message.due());
  }

  /** With what the observers add, unless it would be refused for that alone. */
  private Envelope observed(Envelope own) {
    Envelope observed = observers.writing(own);
    String refusal = refusal(observed);
    if (refusal == null) {
      return observed;
    }
    String ofItself = refusal(own);
    if (ofItself != null) {
      throw new IllegalArgumentException(ofItself);
    }
    observers.leftOut(own.topic(), refusal);
    return own;
  }

  private @Nullable String refusal(Envelope envelope) {
    String tooLarge =
        excess(
            "headers of topic " + envelope.topic(),
            bytes(envelope.headers()),
            maxHeaderBytes,
            "raise Outbox.builder(store).maxHeaders(bytes)");
    return tooLarge == null ? limits.refusal(envelope) : tooLarge;
  }

  /**
   * Refuses a message that would be written in vain.
   *
   * @throws IllegalArgumentException when it would expire before it falls due
   */
  static void requireInTime(Message message) {
    Instant notAfter = message.notAfter();
    if (notAfter == null) {
      return;
    }
    if (message.due() instanceof Message.Due.At at && notAfter.isBefore(at.instant())) {
      throw tooLate("deliverAt is " + at.instant(), notAfter);
    }
    if (message.due() instanceof Message.Due.After after && endsWithin(after.delay(), notAfter)) {
      throw tooLate("deliverAfter is " + after.delay(), notAfter);
    }
  }

  /** An end that is past may be meant by another clock, as one of tests. */
  private static boolean endsWithin(Duration delay, Instant notAfter) {
    Instant now = Instant.now();
    return notAfter.isAfter(now) && notAfter.isBefore(now.plus(delay));
  }

  private static IllegalArgumentException tooLate(String due, Instant notAfter) {
    return new IllegalArgumentException(
        "%s, but notAfter is %s: the message would expire before it falls due"
            .formatted(due, notAfter));
  }

  private Envelope envelope(Message message, Payload payload) {
    return new Envelope(
        MessageId.next(),
        message.topic(),
        message.key(),
        headers(message),
        payload,
        message.notAfter(),
        message.reference(),
        Origin.of(layout.cluster(), layout.cluster()));
  }

  private Lane lane(Envelope envelope) {
    Key key = envelope.key();
    if (key == null) {
      return layout.own(LaneHash.spread(envelope.id(), layout.lanes()));
    }
    if (layout.claiming() == Claiming.ROWS) {
      throw new IllegalArgumentException(
          "key is '%s', but these tables are claimed by rows, which keeps no order; leave the key out or use tables made for lanes"
              .formatted(key));
    }
    return layout.own(LaneHash.of(key, layout.lanes()));
  }

  /** The message's own headers first; a source never replaces one of them. */
  private Map<String, String> headers(Message message) {
    if (headerSources.isEmpty()) {
      return message.headers();
    }
    Map<String, String> added = new LinkedHashMap<>();
    headerSources.forEach(source -> given(source).forEach(added::putIfAbsent));
    added.keySet().removeAll(message.headers().keySet());
    Map<String, String> all = new LinkedHashMap<>(message.headers());
    all.putAll(Message.to(message.topic()).headers(added).bytes(new byte[0]).headers());
    return all;
  }

  private static Map<String, String> given(Supplier<Map<String, String>> source) {
    return Objects.requireNonNull(source.get(), "a header source returned null");
  }

  private static int bytes(Map<String, String> headers) {
    int bytes = 0;
    for (Map.Entry<String, String> header : headers.entrySet()) {
      bytes += header.getKey().getBytes(StandardCharsets.UTF_8).length;
      bytes += header.getValue().getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  private static @Nullable String excess(String what, int bytes, int limit, String remedy) {
    return bytes > limit
        ? "%s has %d bytes, the limit is %d; %s".formatted(what, bytes, limit, remedy)
        : null;
  }
}
