package dev.outbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.testkit.InMemoryStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page shows code that is compiled and run. */
class HttpPageTest {
  private static final Path PAGE = Path.of("../../docs/brokers/http.md");
  private static final String SECRET =
      "whsec_"
          + Base64.getEncoder()
              .encodeToString("twenty-four bytes secret".getBytes(StandardCharsets.UTF_8));

  @ParameterizedTest
  @CsvSource({
    "HttpPage, start",
    "HttpPage, signed",
    "HttpPage, customers",
    "HttpPage, secured",
    "WebhookReceiver, receiver"
  })
  void the_pages_code_is_compiled(String type, String tag) throws Exception {
    String source = Files.readString(Path.of("src/test/java/dev/outbox/http/" + type + ".java"));
    String begin = "// tag::" + tag + "[]\n";
    String code =
        source.substring(
            source.indexOf(begin) + begin.length(), source.indexOf("// end::" + tag + "[]"));
    assertThat(Files.readString(PAGE))
        .contains("```java\n" + code.stripTrailing().stripIndent() + "\n```");
  }

  @Test
  void the_lines_to_start_run_where_no_endpoint_is() throws Exception {
    InMemoryStore store = InMemoryStore.create();
    try (Connection transaction = store.begin()) {
      HttpPage.start(store).enqueue(transaction, Message.to("orders").text("x"));
      transaction.commit();
    }
    assertThat(store.snapshot(10).ready()).isOne();
    HttpPage.signed(SECRET, SECRET, "token").close();
  }

  @Test
  void the_pages_receiver_takes_what_is_signed_and_nothing_else() throws Exception {
    List<String> taken = new CopyOnWriteArrayList<>();
    HttpServer receiver =
        WebhookReceiver.start(
            0, SECRET, (id, body) -> taken.add(new String(body, StandardCharsets.UTF_8)));
    URI endpoint = URI.create("http://localhost:" + receiver.getAddress().getPort());
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.create(store);
    HttpPublisher unsigned = HttpPublisher.create(endpoint);
    HttpPublisher signed =
        HttpPublisher.builder(each -> endpoint).signedBy(each -> List.of(SECRET)).build();
    try (Connection transaction = store.begin()) {
      outbox.enqueue(transaction, Message.to("orders").text("placed"));
      transaction.commit();
    }
    try (Relay relay = Relay.builder(store, unsigned).owns(unsigned).start()) {
      assertThat(store.await(left -> left.isDrained(), Duration.ofMillis(500))).isFalse();
      assertThat(relay.status().counts().delivered()).isZero();
    }
    assertThat(taken).isEmpty();
    try (Relay relay = Relay.builder(store, signed).owns(signed).start()) {
      assertThat(store.await(left -> left.isDrained(), Duration.ofSeconds(10))).isTrue();
      assertThat(relay.status().failing()).isEmpty();
    }
    assertThat(taken).containsExactly("placed");
    receiver.stop(0);
  }

  @Test
  void the_endpoint_of_a_customer_is_asked_for_and_refused_inside_a_private_network()
      throws Exception {
    URI inside = URI.create("http://localhost/hooks");
    HttpPage.Customer customer = new HttpPage.Customer(inside, List.of(SECRET));
    try (HttpPublisher http = HttpPage.toCustomers(Map.of("orders", customer))) {
      OneFlight flight =
          new OneFlight(TestEndpoint.message("orders", "42", new byte[10]), Duration.ofSeconds(30));
      http.publish(flight);
      assertThat(flight.await())
          .isInstanceOfSatisfying(
              Ack.Rejected.class,
              ack ->
                  assertThat(ack.reason())
                      .contains("destination http://localhost/...", "is not public"));
    }
  }
}
