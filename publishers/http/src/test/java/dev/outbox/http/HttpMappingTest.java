package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.HttpReceiver;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a message becomes a request, as an endpoint sees it, and what is refused before. */
class HttpMappingTest {
  private static final URI SHOP = URI.create("https://shop.example/orders");
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final String NEW = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
  private static final String OLD = Base64.getEncoder().encodeToString(new byte[24]);

  private final TestEndpoint endpoint = TestEndpoint.get();
  private final String path = TestEndpoint.newPath();
  private final Envelope envelope =
      TestEndpoint.message(
          "orders.größe",
          "ключ 42",
          Map.of("tenant", "acme inc", "traceparent", PARENT),
          "application/json",
          "{\"a\":1}".getBytes(StandardCharsets.UTF_8));

  private HttpPublisher.Builder builder() {
    return HttpPublisher.builder(endpoint.at(path));
  }

  private HttpReceiver.Request sent(HttpPublisher.Builder builder) throws Exception {
    try (HttpPublisher publisher = builder.build()) {
      OneFlight flight = new OneFlight(envelope, Duration.ofSeconds(30));
      publisher.publish(flight);
      assertThat(flight.await()).isInstanceOf(dev.outbox.publish.Ack.Delivered.class);
    }
    return endpoint.server.received(path).get(0);
  }

  @Test
  void a_plain_request_has_the_payload_and_a_header_for_all_else() throws Exception {
    HttpReceiver.Request request = sent(builder().header("Authorization", () -> "Bearer x"));
    assertThat(request.body()).isEqualTo(envelope.payload().bytes());
    assertThat(request.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("idempotency-key", envelope.id().toString())
        .containsEntry("message-topic", "orders.gr%C3%B6%C3%9Fe")
        .containsEntry("message-key", "%D0%BA%D0%BB%D1%8E%D1%87%2042")
        .containsEntry("tenant", "acme inc")
        .containsEntry("traceparent", PARENT)
        .containsEntry("authorization", "Bearer x")
        .doesNotContainKeys("upgrade", "webhook-id");
  }

  @Test
  void a_binary_CloudEvent_has_its_attributes_in_headers() throws Exception {
    HttpReceiver.Request request = sent(builder().cloudEvents(CloudEvents.binary(SHOP)));
    assertThat(request.body()).isEqualTo(envelope.payload().bytes());
    assertThat(request.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("ce-specversion", "1.0")
        .containsEntry("ce-id", envelope.id().toString())
        .containsEntry("ce-source", SHOP.toString())
        .containsEntry("ce-type", "orders.gr%C3%B6%C3%9Fe")
        .containsEntry("ce-time", envelope.id().madeAt().orElseThrow().toString())
        .containsEntry("ce-partitionkey", "%D0%BA%D0%BB%D1%8E%D1%87%2042")
        .containsEntry("ce-traceparent", PARENT)
        .doesNotContainKeys("message-topic", "message-key");
  }

  @Test
  void a_structured_CloudEvent_is_one_JSON_text() throws Exception {
    HttpReceiver.Request request = sent(builder().cloudEvents(CloudEvents.structured(SHOP)));
    assertThat(request.headers())
        .containsEntry("content-type", "application/cloudevents+json; charset=UTF-8")
        .doesNotContainKeys("ce-id", "message-topic");
    assertThat(new String(request.body(), StandardCharsets.UTF_8))
        .startsWith("{\"specversion\":\"1.0\",\"id\":\"" + envelope.id())
        .endsWith("\"data\":{\"a\":1}}");
  }

  @Test
  void a_signature_by_every_secret_can_be_verified() throws Exception {
    HttpReceiver.Request request = sent(builder().signedBy(NEW, OLD));
    assertThat(request.headers().get("webhook-id")).isEqualTo(envelope.id().toString());
    assertThat(request.headers().get("webhook-signature").split(" ", -1)).hasSize(2);
    assertThat(WebhookReceiver.isGenuine(NEW, request.headers(), request.body())).isTrue();
    assertThat(WebhookReceiver.isGenuine("whsec_" + OLD, request.headers(), request.body()))
        .isTrue();
    byte[] other = "{\"a\":2}".getBytes(StandardCharsets.UTF_8);
    assertThat(WebhookReceiver.isGenuine(NEW, request.headers(), other)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "now", "99999999999999999", "99999999999999999999", "0"})
  void the_pages_receiver_refuses_a_time_that_is_none_or_another(String timestamp)
      throws Exception {
    HttpReceiver.Request request = sent(builder().signedBy(NEW));
    Map<String, String> headers = new HashMap<>(request.headers());
    headers.put("webhook-timestamp", timestamp);
    assertThat(WebhookReceiver.isGenuine(NEW, headers, request.body())).isFalse();
  }

  @Test
  void each_receiver_can_have_secrets_of_its_own() throws Exception {
    HttpReceiver.Request request =
        sent(builder().signedBy(each -> List.of(each.topic().isEmpty() ? NEW : OLD)));
    assertThat(WebhookReceiver.isGenuine("whsec_" + OLD, request.headers(), request.body()))
        .isTrue();
  }

  /** The example of the specification. */
  @Test
  void a_signature_is_the_one_of_the_specification() {
    List<WebhookSecret> secrets =
        WebhookSecret.all(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    assertThat(
            WebhookSecret.signatures(
                secrets,
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1614265330,
                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "whsec_c2hvcnQ=", "whsec_no base64 in here"})
  void what_is_no_secret_is_refused_and_not_shown(String secret) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().signedBy(secret))
        .withMessageContaining("24 to 64")
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("c2hv", "no base"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().signedBy())
        .withMessage("there is no webhook secret; give one or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().signedBy(System.getenv("A_SECRET_THAT_NOBODY_HAS_SET")))
        .withMessage("there is no webhook secret; give one or more");
  }

  private static String refusal(MessageLimits limits, Map<String, String> headers, String type) {
    return limits.refusal(TestEndpoint.message("orders", "42", headers, type, new byte[0]));
  }

  private static String refusal(String name, String value) {
    return refusal(HttpPublisher.limits(), Map.of(name, value), "text/plain");
  }

  @Test
  void what_HTTP_does_not_carry_is_refused_at_enqueue() {
    assertThat(refusal("tenant", "a b!~")).isNull();
    assertThat(refusal("empty", "")).isNull();
    assertThat(refusal("a b", "x"))
        .isEqualTo(
            "header 'a b' has a name that HTTP does not take; use letters, digits and hyphens");
    for (String value : new String[] {" x", "x ", "é", "a\r\nb: c", "a\tb", "\u007f"}) {
      assertThat(refusal("tenant", value)).startsWith("header 'tenant' has a value that is not");
    }
    for (String name :
        new String[] {"Content-Length", "Host", "Idempotency-Key", "Message-Key", "Upgrade"}) {
      assertThat(refusal(name, "x")).contains("the name of one that the publisher sets");
    }
    assertThat(refusal(HttpPublisher.limits(), Map.of("A", "x", "a", "x"), "text/plain"))
        .contains("is given twice, because HTTP ignores case");
    assertThat(refusal(HttpPublisher.limits(), Map.of(), "text/é"))
        .startsWith("content type 'text/é'");
  }

  @Test
  void limits_follow_the_mapping() {
    assertThat(refusal("webhook-id", "x")).isNull();
    assertThat(refusal(builder().signedBy(NEW).limits(), Map.of("Webhook-Id", "x"), "a/b"))
        .contains("the publisher sets");
    MessageLimits events = builder().cloudEvents(CloudEvents.structured(SHOP)).limits();
    assertThat(refusal(events, Map.of("Ce-Id", "x"), "text/plain")).contains("publisher sets");
    assertThat(refusal(events, Map.of(), "application/json")).contains("is not JSON");
    assertThat(refusal(builder().header("X-Key", () -> "x").limits(), Map.of("x-key", "y"), "a/b"))
        .contains("the publisher sets");
    for (URI uri :
        new URI[] {URI.create("/orders"), URI.create("ftp://host"), URI.create("http:x"), null}) {
      assertThat(refusal(HttpPublisher.builder(each -> uri).limits(), Map.of(), "a/b"))
          .contains("destination", "topic orders");
    }
  }

  @Test
  void a_header_that_the_publisher_sets_is_refused_whatever_was_called_first() {
    CloudEvents events = CloudEvents.binary(SHOP);
    String refusal = "header '%s' has the name of one that the publisher sets; rename it";
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().header("Webhook-Id", () -> "x").signedBy(NEW).build())
        .withMessage(refusal.formatted("Webhook-Id"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().signedBy(NEW).header("webhook-id", () -> "x").build())
        .withMessage(refusal.formatted("webhook-id"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().header("ce-id", () -> "x").cloudEvents(events).build())
        .withMessage(refusal.formatted("ce-id"));
  }

  @Test
  void what_cannot_work_is_refused_at_the_call() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPublisher.create(URI.create("http://me:secret@host/x")))
        .withMessageContaining("has a user or password")
        .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("secret"));
    for (String hostless : new String[] {"ftp://me:secret@host/x", "http://me:secret@my_host/x"}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> HttpPublisher.create(URI.create(hostless)))
          .withMessageContaining("it must be http://host..")
          .satisfies(thrown -> assertThat(thrown.getMessage()).doesNotContain("secret"));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpPublisher.create(URI.create("orders")))
        .withMessageContaining("it must be http://host..");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().header("Content-Type", () -> "x"))
        .withMessageContaining("the publisher sets");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().atOnce(0))
        .withMessage("atOnce is 0, the minimum is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().timeout(Duration.ofSeconds(30)).build())
        .withMessageStartingWith("timeout is PT30S, it must be below the publishDeadline PT30S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().timeout(Duration.ZERO))
        .withMessage("timeout is PT0S, it must be positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().publishDeadline(Duration.ofMillis(999)))
        .withMessage("publishDeadline is PT0.999S, the minimum is PT1S");
  }

  @Test
  void a_client_that_follows_redirects_or_resolves_elsewhere_is_refused() {
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().client(following))
        .withMessageContaining("followRedirects(NEVER)");
    HttpClient proxied = HttpClient.newBuilder().proxy(ProxySelector.getDefault()).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().client(proxied).publicAddressesOnly().build())
        .withMessageContaining("has a proxy");
    HttpClient direct = HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build();
    assertThatCode(() -> builder().client(direct).publicAddressesOnly().build())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.1.2.3",
        "10.1.2.3",
        "100.64.0.1",
        "127.3.2.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fdff::1",
        "ff02::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::"
      })
  void addresses_that_are_not_for_everybody_are_known(String address) throws Exception {
    assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111"})
  void public_addresses_are_let_through(String address) throws Exception {
    assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isTrue();
  }

  @Test
  void the_order_of_a_key_holds_in_flights_too() {
    try (HttpPublisher publisher = builder().build()) {
      assertThat(publisher.ordering()).isEqualTo(Publisher.Ordering.PIPELINED);
    }
  }
}
