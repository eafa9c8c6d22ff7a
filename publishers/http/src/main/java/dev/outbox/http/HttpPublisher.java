package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to HTTP endpoints, as webhooks: delivered is what an endpoint has answered with 2xx,
 * and messages of one topic and key arrive in order, the next when the one before was delivered.
 *
 * <p>Safe for use by many threads. {@link #close} begins no other request, and from JDK 21 on
 * closes the client that it made itself; one that it was given it leaves. {@code
 * Relay.builder(store, http).owns(http)} does so with the relay.
 */
public final class HttpPublisher implements Publisher, AutoCloseable {
  private final HttpSender sender;
  private final Publisher sends;

  private HttpPublisher(HttpSender sender, Publisher sends) {
    this.sender = sender;
    this.sends = sends;
  }

  /**
   * A publisher to this endpoint, with every setting at its default.
   *
   * @throws IllegalArgumentException when it is no endpoint
   */
  public static HttpPublisher create(URI destination) {
    return builder(destination).build();
  }

  /**
   * Settings of a publisher to this endpoint.
   *
   * @throws IllegalArgumentException when it is no endpoint
   */
  public static Builder builder(URI destination) {
    String refusal = HttpMapping.refusal(Objects.requireNonNull(destination, "destination"));
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    return new Builder(envelope -> destination);
  }

  /**
   * Settings of a publisher to the endpoint that {@code destination} names for each message.
   * Messages of one topic and key must go to one endpoint, or they lose their order. A message for
   * which it returns null is rejected; if it throws, the topic waits as in an outage.
   */
  public static Builder builder(Function<Envelope, URI> destination) {
    return new Builder(Objects.requireNonNull(destination, "destination"));
  }

  /** What HTTP can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return new HttpLimits(HttpMapping.PLAIN);
  }

  @Override
  public void publish(Flight flight) throws Exception {
    sends.publish(flight);
  }

  /** In one flight too: the next of a key starts when the one before was delivered. */
  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return sends.unanswered(envelope, silence);
  }

  /** The same client; closing one closes both. */
  @Override
  public HttpPublisher classify(Function<Throwable, Ack> classifier) {
    return new HttpPublisher(sender, sends.classify(classifier));
  }

  /** The same client; closing one closes both. */
  @Override
  public HttpPublisher observed(SendObserver observer) {
    return new HttpPublisher(sender, sends.observed(observer));
  }

  /** Begins no other request. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #client}: one of its own, HTTP 1.1, without redirects
   *   <li>{@link #header}: none but those of the message
   *   <li>{@link #signedBy}: unsigned
   *   <li>{@link #cloudEvents}: plain requests
   *   <li>{@link #publicAddressesOnly}: any address
   *   <li>{@link #statuses}: {@link StatusException#answer}
   *   <li>{@link #atOnce}: 64
   *   <li>{@link #timeout}: a third of the publish deadline, 10 s
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private static final int TIMEOUT_PART = 3;

    private final Function<Envelope, URI> destination;
    private final Map<String, Supplier<String>> headers = new LinkedHashMap<>();
    private @Nullable HttpClient client;
    private @Nullable Function<Envelope, List<WebhookSecret>> secrets;
    private @Nullable CloudEvents cloudEvents;
    private boolean publicOnly;
    private Function<StatusException, Ack> statuses = StatusException::answer;
    private int atOnce = 64;
    private @Nullable Duration timeout;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(Function<Envelope, URI> destination) {
      this.destination = destination;
    }

    /**
     * Your own client: for trust and keys of TLS, a proxy, an authenticator, or HTTP 2. The
     * publisher does not close it. Default: one of its own.
     *
     * @throws IllegalArgumentException when it follows redirects
     */
    public Builder client(HttpClient client) {
      if (client.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new IllegalArgumentException(
            "the client follows redirects (%s), which would send messages and secrets where nobody named them; build it with followRedirects(NEVER)"
                .formatted(client.followRedirects()));
      }
      this.client = client;
      return this;
    }

    /**
     * A header of every request, as {@code Authorization}; its value is asked for each time.
     *
     * @throws IllegalArgumentException when HTTP or the publisher uses the name otherwise
     */
    public Builder header(String name, Supplier<String> value) {
      Objects.requireNonNull(value, "value");
      String refusal = new HttpLimits(mapping()).ofName(name);
      if (refusal != null) {
        throw new IllegalArgumentException(refusal);
      }
      headers.put(name, value);
      return this;
    }

    /**
     * Signs every request as Standard Webhooks says, once by each secret: {@code whsec_} and the
     * Base64 of 24 to 64 random bytes. To change a secret, give the new one and the old one until
     * every receiver has the new one. Default: unsigned.
     *
     * @throws IllegalArgumentException when there is none, or one is no such secret
     */
    public Builder signedBy(String... secrets) {
      List<WebhookSecret> all = WebhookSecret.all(Arrays.asList(secrets));
      this.secrets = envelope -> all;
      return this;
    }

    /**
     * As the other, by the secrets of each message's receiver: a message for which there are none
     * is rejected; if {@code secrets} throws, or returns a malformed one, the topic waits as in an
     * outage.
     */
    public Builder signedBy(Function<Envelope, List<String>> secrets) {
      Objects.requireNonNull(secrets, "secrets");
      this.secrets = envelope -> WebhookSecret.all(envelope, secrets);
      return this;
    }

    /**
     * Publishes CloudEvents 1.0: in binary mode the attributes are {@code ce-} headers and the body
     * is the payload, in structured mode the body is one JSON text. Default: plain requests.
     */
    public Builder cloudEvents(CloudEvents events) {
      this.cloudEvents = Objects.requireNonNull(events, "events");
      return this;
    }

    /**
     * Rejects messages to hosts with a loopback, private or special address, for endpoints that
     * others choose; the page says what it cannot see. Default: any address.
     */
    public Builder publicAddressesOnly() {
      this.publicOnly = true;
      return this;
    }

    /**
     * What a status other than 2xx means: {@code status -> status.status() == 422 ?
     * Ack.failed(status) : status.answer()}. Default: {@link StatusException#answer}.
     */
    public Builder statuses(Function<StatusException, Ack> meaning) {
      this.statuses = Objects.requireNonNull(meaning, "meaning");
      return this;
    }

    /**
     * How many requests are under way at a time, each on its own connection. Default: 64.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder atOnce(int requests) {
      if (requests < 1) {
        throw new IllegalArgumentException("atOnce is " + requests + ", the minimum is 1");
      }
      this.atOnce = requests;
      return this;
    }

    /**
     * How long a request may take to the end of its answer. Default: a third of the deadline.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder timeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException("timeout is " + timeout + ", it must be positive");
      }
      this.timeout = timeout;
      return this;
    }

    /**
     * The publish deadline of the relay, within which every request must end. Default: 30 s.
     *
     * @throws IllegalArgumentException when it is below 1 s
     */
    public Builder publishDeadline(Duration deadline) {
      if (deadline.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "publishDeadline is " + deadline + ", the minimum is PT1S");
      }
      this.publishDeadline = deadline;
      return this;
    }

    /** What HTTP can hold of a message as it is mapped here, for {@code Outbox.Builder.limits}. */
    public MessageLimits limits() {
      return new HttpLimits(mapping());
    }

    private HttpMapping mapping() {
      return new HttpMapping(destination, cloudEvents, secrets, Map.copyOf(headers));
    }

    /**
     * The publisher. It connects with the first message.
     *
     * @throws IllegalArgumentException when a request could outlast a flight, a {@link #header} is
     *     one that the publisher sets, or {@link #publicAddressesOnly} cannot be kept
     */
    public HttpPublisher build() {
      Duration longest = timeout == null ? publishDeadline.dividedBy(TIMEOUT_PART) : timeout;
      if (longest.compareTo(publishDeadline) >= 0) {
        throw new IllegalArgumentException(
            "timeout is %s, it must be below the publishDeadline %s, so that what was reported as failed does not arrive later; lower it, or raise publishDeadline here and in the relay"
                .formatted(longest, publishDeadline));
      }
      if (publicOnly) {
        PublicAddresses.requireSight(client);
      }
      HttpLimits limits = new HttpLimits(mapping());
      limits.requireExtras();
      PublicAddresses addresses = publicOnly ? PublicAddresses.KNOWN_HERE : null;
      HttpSender sender = new HttpSender(client, limits, longest, addresses);
      Function<StatusException, Ack> meaning = statuses;
      Publisher sends =
          Publisher.async(sender::send, atOnce)
              .classify(thrown -> HttpErrors.read(thrown, meaning))
              .longestSend(longest);
      return new HttpPublisher(sender, sends);
    }
  }
}
