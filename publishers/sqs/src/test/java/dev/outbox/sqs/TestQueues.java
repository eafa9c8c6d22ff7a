package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.ElasticMqServer;
import dev.outbox.testkit.network.TcpProxy;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The server of all test classes of this JVM, behind a network that a test can break. */
final class TestQueues {
  private static TestQueues only;

  final ElasticMqServer server = ElasticMqServer.start();
  final TcpProxy network = TcpProxy.to("127.0.0.1", server.port());
  final SqsAsyncClient client = at(server.port());

  static synchronized TestQueues get() {
    if (only == null) {
      only = new TestQueues();
    }
    return only;
  }

  static SqsAsyncClient at(int port) {
    return at(port, login("secret"));
  }

  static SqsAsyncClient at(int port, AwsCredentialsProvider credentials) {
    return SqsAsyncClient.builder()
        .endpointOverride(URI.create("http://127.0.0.1:" + port))
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(credentials)
        .build();
  }

  static AwsCredentialsProvider login(String secret) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create("user", secret));
  }

  SqsAsyncClient behindTheNetwork() {
    return at(network.port());
  }

  String newQueue(boolean fifo) {
    String name = "orders-" + UUID.randomUUID() + (fifo ? ".fifo" : "");
    make(name, fifo);
    return name;
  }

  /** Does nothing when it is there. */
  void make(String name, boolean fifo) {
    Map<QueueAttributeName, String> attributes =
        fifo ? Map.of(QueueAttributeName.FIFO_QUEUE, "true") : Map.of();
    client.createQueue(request -> request.queueName(name).attributes(attributes)).join();
  }

  static Envelope message(String topic, @Nullable String key, byte[] payload) {
    return message(topic, key, Map.of("tenant", "acme"), "application/octet-stream", payload);
  }

  static Envelope message(
      String topic, @Nullable String key, Map<String, String> headers, String type, byte[] bytes) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        headers,
        new Payload(type, bytes),
        null);
  }
}
