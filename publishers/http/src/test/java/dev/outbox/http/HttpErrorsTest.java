package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.security.KeyStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row of the page's table, provoked on a real endpoint. */
class HttpErrorsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /** As long as that of a publisher that was told none. */
  private static final Duration LONG = Duration.ofSeconds(30);

  private final TestEndpoint endpoint = TestEndpoint.get();
  private final List<HttpPublisher> publishers = new ArrayList<>();

  @AfterEach
  void bringUp() {
    publishers.forEach(HttpPublisher::close);
    endpoint.network.restore();
    endpoint.server.restart();
  }

  private HttpPublisher publisher(HttpPublisher.Builder builder) {
    HttpPublisher publisher = builder.publishDeadline(DEADLINE).build();
    publishers.add(publisher);
    return publisher;
  }

  private static Ack answer(Publisher publisher, Envelope envelope) throws Exception {
    return answer(publisher, envelope, DEADLINE);
  }

  private static Ack answer(Publisher publisher, Envelope envelope, Duration deadline)
      throws Exception {
    OneFlight flight = new OneFlight(envelope, deadline);
    publisher.publish(flight);
    return flight.await();
  }

  private Ack answer(HttpPublisher.Builder builder) throws Exception {
    return answer(publisher(builder), TestEndpoint.message("orders", "42", new byte[10]));
  }

  private Ack answer(URI destination) throws Exception {
    return answer(HttpPublisher.builder(destination));
  }

  private Ack status(String path) throws Exception {
    return answer(endpoint.at("/status/" + path));
  }

  private static Ack.Unavailable requireUnavailable(Ack ack, Class<?> root, String text) {
    assertThat(ack).isInstanceOf(Ack.Unavailable.class);
    Throwable cause = ((Ack.Unavailable) ack).cause();
    assertThat(cause).hasMessageContaining(text);
    assertThat(cause.getCause() == null ? cause : cause.getCause()).isInstanceOf(root);
    return (Ack.Unavailable) ack;
  }

  @Test
  void an_endpoint_that_is_down_is_unavailable_and_found_again() throws Exception {
    String path = TestEndpoint.newPath();
    HttpPublisher publisher = publisher(HttpPublisher.builder(endpoint.at(path)));
    Envelope envelope = TestEndpoint.message("orders", "42", new byte[10]);
    endpoint.server.kill();
    requireUnavailable(answer(publisher, envelope), ConnectException.class, "127.0.0.1");
    endpoint.server.restart();
    assertThat(answer(publisher, envelope)).isInstanceOf(Ack.Delivered.class);
    assertThat(endpoint.received(path)).hasSize(1);
  }

  @Test
  void an_endpoint_that_does_not_answer_is_unavailable_when_the_timeout_is_over() throws Exception {
    Duration timeout = Duration.ofMillis(300);
    for (String path : new String[] {"/hang", "/endless"}) {
      HttpPublisher.Builder builder = HttpPublisher.builder(endpoint.at(path)).timeout(timeout);
      requireUnavailable(answer(builder), HttpTimeoutException.class, "no whole answer within");
    }
    endpoint.network.silence();
    URI silent = endpoint.behindTheNetwork("/in/silent");
    requireUnavailable(
        answer(HttpPublisher.builder(silent).timeout(timeout)),
        HttpTimeoutException.class,
        "no whole answer within");
  }

  @Test
  void a_connection_that_breaks_is_unavailable() throws Exception {
    requireUnavailable(answer(endpoint.at("/close")), IOException.class, "could not be reached");
    endpoint.network.cut();
    requireUnavailable(
        answer(endpoint.behindTheNetwork("/in/cut")), IOException.class, "could not be reached");
  }

  /** As those of Slack's webhooks are. */
  @Test
  void a_path_and_a_query_which_may_be_secrets_are_not_shown() throws Exception {
    String host = "http://127.0.0.1:" + endpoint.server.port() + "/...";
    for (String path : new String[] {"/close/secret", "/status/503/secret", "/secret?a=secret"}) {
      Ack.Unavailable ack = requireUnavailable(answer(endpoint.at(path)), Exception.class, host);
      assertThat(ack.cause().getMessage()).doesNotContain("secret");
    }
    assertThat(status("422/secret")).isEqualTo(Ack.rejected(host + " answered 422: as asked"));
    URI root = URI.create("http://127.0.0.1:" + endpoint.server.port());
    assertThat(HttpErrors.shown(root)).isEqualTo(root.toString());
  }

  @Test
  void an_address_that_cannot_be_read_is_not_shown() throws Exception {
    requireSecretUnshown(
        () -> URI.create("https://hooks.example/secret\n"),
        "Illegal character in path at index 28");
    requireSecretUnshown(
        () -> {
          try {
            return URI.create("https://hooks.example/secret\n");
          } catch (IllegalArgumentException e) {
            throw new IllegalStateException(e);
          }
        },
        "Illegal character in path at index 28");
    requireSecretUnshown(
        () -> {
          try {
            return new URL("hooks.example/secret").toURI();
          } catch (MalformedURLException | URISyntaxException e) {
            throw new IllegalStateException(e);
          }
        },
        "no valid address");
  }

  private void requireSecretUnshown(Supplier<URI> address, String shown) throws Exception {
    Ack.Unavailable ack =
        requireUnavailable(
            answer(HttpPublisher.builder(each -> address.get())), HttpErrors.NotNow.class, shown);
    assertThat(ack.cause()).hasMessageNotContaining("secret").hasNoCause();
  }

  @Test
  void causes_that_lead_in_a_circle_are_told() throws Exception {
    IllegalStateException down = new IllegalStateException("no customers now");
    down.initCause(new IllegalStateException("behind", down));
    requireUnavailable(
        answer(
            HttpPublisher.builder(
                each -> {
                  throw down;
                })),
        IllegalStateException.class,
        "no customers now");
  }

  @Test
  void a_host_that_is_not_known_is_unavailable() throws Exception {
    requireUnavailable(
        answer(URI.create("http://no-such-host.invalid/in")),
        ConnectException.class,
        "no-such-host");
  }

  @Test
  void a_certificate_that_is_not_trusted_is_unavailable() throws Exception {
    requireUnavailable(
        answer(endpoint.secured("/in/tls")), SSLHandshakeException.class, "could not be reached");
  }

  @Test
  void a_certificate_that_is_trusted_is_delivered_to() throws Exception {
    String path = TestEndpoint.newPath();
    HttpClient client =
        HttpClient.newBuilder().sslContext(trusting()).version(HttpClient.Version.HTTP_2).build();
    Ack ack = answer(HttpPublisher.builder(endpoint.secured(path)).client(client));
    assertThat(ack).isInstanceOf(Ack.Delivered.class);
    assertThat(endpoint.received(path)).hasSize(1);
    URI otherName =
        URI.create("https://127.0.0.2:" + endpoint.server.tlsPort() + path); // not in it
    assertThat(answer(HttpPublisher.builder(otherName).client(client)))
        .isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void tls_with_a_login_delivers_and_another_certificate_or_password_is_unavailable()
      throws Exception {
    String path = "/secret" + TestEndpoint.newPath();
    URI uri = endpoint.secured(path);
    Envelope envelope = TestEndpoint.message("orders", "42", new byte[10]);
    assertThat(answer(secured(uri, trusting(), "secret"), envelope, LONG))
        .isInstanceOf(Ack.Delivered.class);
    requireUnavailable(
        answer(secured(uri, trusting(), "wrong"), envelope, LONG), StatusException.class, "401");
    requireUnavailable(
        answer(secured(uri, SSLContext.getDefault(), "secret"), envelope, LONG),
        SSLHandshakeException.class,
        "could not be reached");
    assertThat(endpoint.received(path)).hasSize(1);
  }

  /** As the page shows it. */
  private HttpPublisher secured(URI uri, SSLContext context, String token) {
    HttpPublisher publisher = HttpPage.secured(uri, context, () -> token);
    publishers.add(publisher);
    return publisher;
  }

  private SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(endpoint.server.trustStore())) {
      store.load(content, new char[0]);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void a_login_is_asked_for_each_request_and_one_that_fails_is_unavailable() throws Exception {
    String path = "/secret" + TestEndpoint.newPath();
    List<String> tokens = new ArrayList<>(List.of("Bearer old", "Bearer secret"));
    HttpPublisher publisher =
        publisher(
            HttpPublisher.builder(endpoint.at(path))
                .header("Authorization", () -> tokens.remove(0)));
    Envelope envelope = TestEndpoint.message("orders", "42", new byte[10]);
    requireUnavailable(answer(publisher, envelope), StatusException.class, "401: who are you");
    assertThat(answer(publisher, envelope)).isInstanceOf(Ack.Delivered.class);
    requireUnavailable(
        answer(publisher, envelope),
        IndexOutOfBoundsException.class,
        "no value of header 'Authorization' can be had now");
    tokens.add("Bearer\n");
    requireUnavailable(
        answer(publisher, envelope), RuntimeException.class, "is not printable ASCII");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 304, 307, 308})
  void a_redirect_is_not_followed_and_unavailable(int status) throws Exception {
    String path = TestEndpoint.newPath();
    requireUnavailable(
        status(status + "?Location=" + path), StatusException.class, "answered " + status);
    assertThat(endpoint.received(path)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 402, 403, 404, 405, 407, 421, 429, 502, 503, 504})
  void an_endpoint_that_is_overloaded_not_there_or_closed_to_us_is_unavailable(int status)
      throws Exception {
    requireUnavailable(status("" + status), StatusException.class, "answered " + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 423, 425, 500, 501, 507})
  void an_endpoint_that_fails_is_failed(int status) throws Exception {
    assertThat(status("" + status))
        .isInstanceOfSatisfying(
            Ack.Failed.class,
            ack -> assertThat(ack.cause()).hasMessageEndingWith(status + ": as asked"));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 406, 410, 413, 415, 422, 431})
  void an_endpoint_that_refuses_the_message_rejects_it(int status) throws Exception {
    assertThat(status("" + status))
        .isInstanceOfSatisfying(
            Ack.Rejected.class,
            ack -> assertThat(ack.reason()).contains("answered " + status + ": as asked"));
  }

  @Test
  void another_meaning_of_a_status_can_be_given() throws Exception {
    HttpPublisher.Builder builder =
        HttpPublisher.builder(endpoint.at("/status/422"))
            .statuses(status -> status.status() == 422 ? Ack.failed(status) : status.answer());
    assertThat(answer(builder)).isInstanceOf(Ack.Failed.class);
    assertThat(answer(publisher(builder).classify(Ack::unavailable), message()))
        .isInstanceOf(Ack.Unavailable.class);
  }

  private static Envelope message() {
    return TestEndpoint.message("orders", null, new byte[0]);
  }

  private @Nullable Duration retryAfter(String status, String value) throws Exception {
    Ack ack = status(status + "?Retry-After=" + value.replace(" ", "%20"));
    return ack instanceof Ack.Failed failed
        ? failed.retryAfter()
        : ((Ack.Unavailable) ack).retryAfter();
  }

  @Test
  void an_endpoint_says_when_it_wants_to_be_asked_again() throws Exception {
    assertThat(retryAfter("503", "7")).isEqualTo(Duration.ofSeconds(7));
    assertThat(retryAfter("429", "0")).isZero();
    assertThat(retryAfter("500", "9")).isEqualTo(Duration.ofSeconds(9));
    String inAMinute =
        DateTimeFormatter.RFC_1123_DATE_TIME.format(
            ZonedDateTime.now(ZoneOffset.UTC).plusMinutes(1));
    assertThat(retryAfter("503", inAMinute))
        .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
  }

  @Test
  void an_hour_past_nonsense_and_more_than_a_day_are_not_waited_for() throws Exception {
    assertThat(retryAfter("503", "Fri, 31 Dec 1999 23:59:59 GMT")).isNull();
    assertThat(retryAfter("503", "soon")).isNull();
    assertThat(retryAfter("503", "-1")).isNull();
    assertThat(retryAfter("503", "999999999")).isEqualTo(Duration.ofDays(1));
    assertThat(retryAfter("503", "99999999999999999999")).isNull();
  }

  @Test
  void a_private_address_is_rejected_when_it_should_be() throws Exception {
    for (String host : new String[] {"127.0.0.1", "localhost", "[::1]", "10.0.0.1"}) {
      URI destination = URI.create("http://%s:%d/in".formatted(host, endpoint.server.port()));
      assertThat(answer(HttpPublisher.builder(destination).publicAddressesOnly()))
          .isInstanceOfSatisfying(
              Ack.Rejected.class, ack -> assertThat(ack.reason()).contains("is not public"));
    }
    URI unknown = URI.create("http://no-such-host.invalid/in");
    assertThat(answer(HttpPublisher.builder(unknown).publicAddressesOnly()))
        .isInstanceOf(Ack.Unavailable.class);
  }

  /** It resolves the name by itself, so what was looked at here says nothing. */
  @Test
  void a_proxy_of_the_jvm_gets_no_message_for_public_addresses_only() throws Exception {
    URI destination = URI.create("http://1.1.1.1" + TestEndpoint.newPath());
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        ProxySelector.of(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.server.port())));
    try {
      requireUnavailable(
          answer(HttpPublisher.builder(destination).publicAddressesOnly()),
          HttpErrors.NotNow.class,
          "which resolves the name itself");
      assertThat(endpoint.received(destination.getPath())).isEmpty();
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @Test
  void a_message_that_can_be_no_request_is_rejected() throws Exception {
    HttpPublisher publisher = publisher(HttpPublisher.builder(endpoint.at("/in/odd")));
    Envelope odd =
        TestEndpoint.message("orders", null, Map.of("host", "x"), "text/plain", new byte[0]);
    assertThat(answer(publisher, odd))
        .isEqualTo(
            Ack.rejected("header 'host' has the name of one that the publisher sets; rename it"));
    assertThat(answer(HttpPublisher.builder(envelope -> URI.create("mailto:a@b.c"))))
        .isInstanceOf(Ack.Rejected.class);
  }

  @Test
  void a_receiver_without_a_secret_gets_no_message() throws Exception {
    for (List<String> none : Arrays.asList(List.<String>of(), null, Arrays.asList((String) null))) {
      assertThat(answer(HttpPublisher.builder(endpoint.at("/in/odd")).signedBy(each -> none)))
          .isEqualTo(Ack.rejected("there is no webhook secret; give one or more"));
    }
  }

  /** As where it is kept with the end of a line. */
  @ParameterizedTest
  @ValueSource(strings = {"whsec_x\n", "whsec_c2hvcnQ="})
  void a_receiver_whose_secret_is_malformed_waits_for_another(String secret) throws Exception {
    requireUnavailable(
        answer(HttpPublisher.builder(endpoint.at("/in/odd")).signedBy(each -> List.of(secret))),
        IllegalArgumentException.class,
        "24 to 64");
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalArgumentException.class, IllegalStateException.class})
  void a_secret_that_cannot_be_had_now_is_unavailable(Class<RuntimeException> type)
      throws Exception {
    RuntimeException down = type.getConstructor(String.class).newInstance("the vault is sealed");
    requireUnavailable(
        answer(
            HttpPublisher.builder(endpoint.at("/in/sealed"))
                .signedBy(
                    (Envelope each) -> {
                      throw down;
                    })),
        type,
        "no secret for a message of topic orders can be had now: " + down);
  }

  /** As where both are kept may be down. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalArgumentException.class, IllegalStateException.class})
  void a_destination_that_cannot_be_had_now_is_unavailable(Class<RuntimeException> type)
      throws Exception {
    RuntimeException down = type.getConstructor(String.class).newInstance("no customers now");
    requireUnavailable(
        answer(
            HttpPublisher.builder(
                each -> {
                  throw down;
                })),
        type,
        "no destination for a message of topic orders can be had now: " + down);
  }

  @Test
  void a_publisher_that_is_closed_is_unavailable() throws Exception {
    HttpPublisher publisher = publisher(HttpPublisher.builder(endpoint.at("/in/closed")));
    publisher.close();
    requireUnavailable(answer(publisher, message()), RuntimeException.class, "is closed");
  }
}
