package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import dev.outbox.servers.SelfSigned;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** TLS with a login, as of AWS itself: ElasticMQ has neither, so a gate in front of it has both. */
@Tag("proof")
class SqsTlsTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final TestQueues queues = TestQueues.get();
  @TempDir private Path folder;

  @Test
  void a_client_that_knows_the_server_and_is_known_to_it_delivers_and_others_are_unavailable()
      throws Exception {
    SelfSigned selfSigned = SelfSigned.in(folder);
    String queue = queues.newQueue(true);
    try (SignatureGate gate = SignatureGate.overTls(queues.server.port(), selfSigned.ofServer())) {
      NettyNioAsyncHttpClient.Builder trusting =
          NettyNioAsyncHttpClient.builder()
              .tlsTrustManagersProvider(trusts(selfSigned)::getTrustManagers);
      assertThat(answer(gate, trusting, "secret", queue)).isInstanceOf(Ack.Delivered.class);
      assertThat(answer(gate, trusting, "wrong", queue))
          .isInstanceOfSatisfying(
              Ack.Unavailable.class,
              refused -> assertThat(refused.cause()).hasMessageContaining("not signed"));
      assertThat(answer(gate, NettyNioAsyncHttpClient.builder(), "secret", queue))
          .isInstanceOfSatisfying(
              Ack.Unavailable.class,
              unknown -> assertThat(unknown.cause()).hasMessageContaining("certification path"));
    }
    assertThat(new Inbox(queues.client, queue).received()).hasSize(1);
  }

  private static TrustManagerFactory trusts(SelfSigned selfSigned) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(selfSigned.trustStore())) {
      store.load(content, new char[0]);
    }
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(store);
    return trusted;
  }

  private static Ack answer(
      SignatureGate gate, NettyNioAsyncHttpClient.Builder http, String secret, String queue)
      throws Exception {
    try (SqsAsyncClient client =
        SqsAsyncClient.builder()
            .endpointOverride(URI.create("https://localhost:" + gate.port()))
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(TestQueues.login(secret))
            .httpClientBuilder(http)
            .build()) {
      OneFlight flight = new OneFlight(TestQueues.message(queue, "42", new byte[] {'x'}), DEADLINE);
      SqsPublisher.builder(client).publishDeadline(DEADLINE).build().publish(flight);
      return flight.await();
    }
  }
}
