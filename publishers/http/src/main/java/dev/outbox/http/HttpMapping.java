package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.publish.CloudEvents;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes a request: the payload is the body, every header is under its name, the id
 * is the idempotency key, and topic and key have their own headers or are attributes of a
 * CloudEvent. A null {@code secrets} signs nothing.
 *
 * <p>Immutable.
 */
record HttpMapping(
    Function<Envelope, URI> destinations,
    @Nullable CloudEvents cloudEvents,
    @Nullable Function<Envelope, List<WebhookSecret>> secrets,
    Map<String, Supplier<String>> extras) {
  /** Nothing but the message. */
  static final HttpMapping PLAIN =
      new HttpMapping(envelope -> URI.create("http://localhost"), null, null, Map.of());

  private static final String CONTENT_TYPE = "content-type";
  private static final String IDEMPOTENCY_KEY = "idempotency-key";
  private static final String KEY = "message-key";
  private static final String TOPIC = "message-topic";
  private static final String CLOUD_EVENT = "ce-";
  private static final String WEBHOOK = "webhook-";

  /** Those that the client sets, and those that would say where a request ends. */
  private static final Set<String> RESERVED =
      Set.of(
          CONTENT_TYPE,
          IDEMPOTENCY_KEY,
          KEY,
          TOPIC,
          "connection",
          "content-length",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade");

  /**
   * @throws HttpErrors.Refused when there is no destination that a client can reach
   */
  URI destination(Envelope envelope) {
    URI uri = destinations.apply(envelope);
    String refusal = uri == null ? "there is no destination" : refusal(uri);
    if (uri == null || refusal != null) {
      throw new HttpErrors.Refused(
          "%s for a message of topic %s; correct the function that HttpPublisher.builder(destination) was given"
              .formatted(refusal, envelope.topic()));
    }
    return uri;
  }

  /** Why a URI is no destination, or null. */
  static @Nullable String refusal(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean isHttp = scheme.equals("https") || scheme.equals("http");
    if (!isHttp || uri.getHost() == null) {
      return "destination is %s, it must be http://host.. or https://host.."
          .formatted(HttpErrors.shown(uri));
    }
    return uri.getRawUserInfo() == null
        ? null
        : "destination has a user or password in it, which HTTP clients do not send; use header(\"Authorization\", ..)";
  }

  /** True for the name of a header, in lower case, that no message may have. */
  boolean reserves(String name) {
    return sets(name) || extras.keySet().stream().anyMatch(name::equalsIgnoreCase);
  }

  /** True for the name of a header, in lower case, that the publisher or the client sets. */
  boolean sets(String name) {
    return RESERVED.contains(name)
        || (cloudEvents != null && name.startsWith(CLOUD_EVENT))
        || (secrets != null && name.startsWith(WEBHOOK));
  }

  /**
   * The request of a message that {@link HttpLimits} let through.
   *
   * @throws IllegalArgumentException when it should be part of a JSON text and is none
   */
  HttpRequest request(Envelope envelope, URI destination, Duration timeout) {
    byte[] body = cloudEvents == null ? envelope.payload().bytes() : cloudEvents.body(envelope);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(destination)
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    envelope.headers().forEach(request::header);
    extras.forEach((name, value) -> request.setHeader(name, HttpLimits.given(name, value)));
    request.setHeader(IDEMPOTENCY_KEY, envelope.id().toString());
    if (cloudEvents == null) {
      describe(envelope, request);
    } else {
      describe(envelope, cloudEvents, request);
    }
    if (secrets != null) {
      sign(envelope, secrets.apply(envelope), body, request);
    }
    return request.build();
  }

  private static void describe(Envelope envelope, HttpRequest.Builder request) {
    request.setHeader(CONTENT_TYPE, envelope.payload().contentType());
    request.setHeader(TOPIC, CloudEvents.headerText(envelope.topic()));
    if (envelope.key() != null) {
      request.setHeader(KEY, CloudEvents.headerText(envelope.key().value()));
    }
  }

  private static void describe(Envelope envelope, CloudEvents events, HttpRequest.Builder request) {
    request.setHeader(CONTENT_TYPE, events.contentType(envelope));
    if (!events.isStructured()) {
      events
          .attributes(envelope)
          .forEach(
              (name, value) ->
                  request.setHeader(CLOUD_EVENT + name, CloudEvents.headerText(value)));
    }
  }

  private static void sign(
      Envelope envelope, List<WebhookSecret> secrets, byte[] body, HttpRequest.Builder request) {
    long timestamp = Instant.now().getEpochSecond();
    request.setHeader(WEBHOOK + "id", envelope.id().toString());
    request.setHeader(WEBHOOK + "timestamp", String.valueOf(timestamp));
    request.setHeader(
        WEBHOOK + "signature",
        WebhookSecret.signatures(secrets, envelope.id().toString(), timestamp, body));
  }
}
