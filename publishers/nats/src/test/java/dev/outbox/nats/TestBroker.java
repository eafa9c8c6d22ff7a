package dev.outbox.nats;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.NatsServer;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The server of all test classes of this JVM, behind a network that a test can break. */
@SuppressWarnings("try") // to be interrupted in close ends the test
final class TestBroker {
  private static TestBroker only;

  final NatsServer server = NatsServer.start();
  final TcpProxy network = TcpProxy.to("127.0.0.1", server.port());

  /** Aborts the test, in words, where there is none. */
  static synchronized TestBroker get() {
    NatsServer.whyNot().ifPresent(Assumptions::abort);
    if (only == null) {
      only = new TestBroker();
    }
    return only;
  }

  Options options() {
    return at(server.port()).build();
  }

  Options behindTheNetwork() {
    return at(network.port()).build();
  }

  /** Silent about what a test does to it; found servers would lead past the network. */
  static Options.Builder at(int port) {
    return new Options.Builder()
        .server("nats://127.0.0.1:" + port)
        .ignoreDiscoveredServers()
        .errorListener(new Silent());
  }

  private static final class Silent implements io.nats.client.ErrorListener {}

  /** What a connection is used for. */
  interface Use<T> {
    T on(Connection connection) throws Exception;
  }

  <T> T use(Use<T> use) throws Exception {
    try (Connection connection = Nats.connect(options())) {
      return use.on(connection);
    }
  }

  /** Its own stream subject, with all settings at their default. */
  String newSubject() throws Exception {
    return newSubject(stream -> stream);
  }

  String newSubject(UnaryOperator<StreamConfiguration.Builder> settings) throws Exception {
    String subject = "orders." + UUID.randomUUID();
    addStream(subject, settings);
    return subject;
  }

  void addStream(String subject, UnaryOperator<StreamConfiguration.Builder> settings)
      throws Exception {
    StreamConfiguration.Builder stream =
        StreamConfiguration.builder()
            .name(streamOf(subject))
            .subjects(subject)
            .storageType(StorageType.File);
    manage(each -> each.addStream(settings.apply(stream).build()));
  }

  static String streamOf(String subject) {
    return subject.replaceAll("[^!-~]|[.]", "_");
  }

  /** What streams are managed for. */
  interface Manage<T> {
    T on(JetStreamManagement management) throws Exception;
  }

  <T> T manage(Manage<T> manage) throws Exception {
    return use(connection -> manage.on(connection.jetStreamManagement()));
  }

  void change(String subject, UnaryOperator<StreamConfiguration.Builder> settings)
      throws Exception {
    manage(
        each -> {
          StreamConfiguration now = each.getStreamInfo(streamOf(subject)).getConfiguration();
          return each.updateStream(settings.apply(StreamConfiguration.builder(now)).build());
        });
  }

  /** All messages of a stream, in its order. */
  List<Message> messages(String subject) throws Exception {
    return use(
        connection -> {
          long there =
              connection
                  .jetStreamManagement()
                  .getStreamInfo(streamOf(subject))
                  .getStreamState()
                  .getMsgCount();
          JetStreamSubscription subscription =
              connection
                  .jetStream()
                  .subscribe(
                      subject,
                      PushSubscribeOptions.builder().stream(streamOf(subject))
                          .ordered(true)
                          .build());
          List<Message> messages = new ArrayList<>();
          while (messages.size() < there) {
            Message next = subscription.nextMessage(Duration.ofSeconds(10));
            if (next == null) {
              throw new IllegalStateException(messages.size() + " of " + there + " messages came");
            }
            messages.add(next);
          }
          return messages;
        });
  }

  static Received received(Message message) {
    Map<String, String> headers = headers(message.getHeaders());
    return new Received(
        MessageId.parse(headers.get("Nats-Msg-Id")),
        headers.get("message-key"),
        headers,
        message.getData());
  }

  /** As the page tells consumers to read them. */
  static Map<String, String> headers(Headers given) {
    Map<String, String> headers = new HashMap<>();
    given.forEach((name, values) -> headers.put(name, values.get(0)));
    String packed = headers.remove("packed-headers");
    if (packed != null) {
      for (String pair : packed.split("&", -1)) {
        String[] both = pair.split("=", 2);
        headers.put(decoded(both[0]), decoded(both[1]));
      }
    }
    return headers;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  static Envelope message(String topic, @Nullable String key, byte[] payload) {
    return new Envelope(
        MessageId.next(),
        topic,
        key == null ? null : new Key(key),
        Map.of("tenant", "acme"),
        new Payload("application/octet-stream", payload),
        null);
  }
}
