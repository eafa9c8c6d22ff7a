package dev.outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.RabbitServer;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** The broker of all test classes of this JVM, behind a network that a test can break. */
final class TestBroker {
  private static TestBroker only;

  final RabbitServer server = RabbitServer.start();
  final TcpProxy network = TcpProxy.to("127.0.0.1", server.port());

  /** Aborts the test, in words, where there is none. */
  static synchronized TestBroker get() {
    RabbitServer.whyNot().ifPresent(Assumptions::abort);
    if (only == null) {
      only = new TestBroker();
    }
    return only;
  }

  ConnectionFactory factory() {
    return at(server.port());
  }

  ConnectionFactory behindTheNetwork() {
    return at(network.port());
  }

  static ConnectionFactory at(int port) {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    return factory;
  }

  /** What a channel is used for. */
  interface Use<T> {
    T on(Channel channel) throws Exception;
  }

  <T> T use(Use<T> use) throws Exception {
    try (Connection connection = factory().newConnection("test");
        Channel channel = connection.createChannel()) {
      return use.on(channel);
    }
  }

  String newQueue(Map<String, Object> arguments) throws Exception {
    String name = "orders." + UUID.randomUUID();
    declare(name, arguments);
    return name;
  }

  void declare(String queue, Map<String, Object> arguments) throws Exception {
    AMQP.Queue.DeclareOk unused =
        use(channel -> channel.queueDeclare(queue, true, false, false, arguments));
  }

  String newExchange(boolean internal) throws Exception {
    String name = "exchange." + UUID.randomUUID();
    AMQP.Exchange.DeclareOk unused =
        use(channel -> channel.exchangeDeclare(name, "topic", true, false, internal, Map.of()));
    return name;
  }

  /** A node that is killed has forgotten the queues of the last moments, if nobody insists. */
  void settle() {
    server.control("eval", "mnesia:sync_log().");
  }

  /** Its process is told to {@code suspend} or to {@code resume}. */
  void tellQueue(String queue, String what) {
    server.control(
        "eval",
        "{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"%s\">>)), sys:%s(amqqueue:get_pid(Q))."
            .formatted(queue, what));
  }

  /** All messages of a queue, which stay there; one reader at a time, or each sees a part. */
  synchronized List<GetResponse> messages(String queue) throws Exception {
    return use(
        channel -> {
          List<GetResponse> messages = new ArrayList<>();
          for (GetResponse next = channel.basicGet(queue, false);
              next != null;
              next = channel.basicGet(queue, false)) {
            messages.add(next);
          }
          if (!messages.isEmpty()) {
            channel.basicNack(0, true, true); // all of them
          }
          return messages;
        });
  }

  static Received received(GetResponse message) {
    Map<String, String> headers = headers(message.getProps());
    return new Received(
        MessageId.parse(message.getProps().getMessageId()),
        headers.get("message-key"),
        headers,
        message.getBody());
  }

  static Map<String, String> headers(AMQP.BasicProperties properties) {
    Map<String, String> headers = new HashMap<>();
    if (properties.getHeaders() != null) {
      properties.getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
    }
    return headers;
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
