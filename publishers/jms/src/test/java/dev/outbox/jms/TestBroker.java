package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.servers.ArtemisServer;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;

/** The broker of all test classes of this JVM, behind a network that a test can break. */
final class TestBroker {
  private static TestBroker only;

  final ArtemisServer server = ArtemisServer.start();
  final TcpProxy network = TcpProxy.to("127.0.0.1", server.port());

  static synchronized TestBroker get() {
    if (only == null) {
      only = new TestBroker();
    }
    return only;
  }

  ActiveMQConnectionFactory factory() {
    return at(server.port());
  }

  ActiveMQConnectionFactory behindTheNetwork() {
    return at(network.port());
  }

  static ActiveMQConnectionFactory at(int port) {
    return new ActiveMQConnectionFactory(
        "tcp://127.0.0.1:%d?confirmationWindowSize=1048576&callTimeout=1000".formatted(port));
  }

  static String newQueue() {
    return "orders." + UUID.randomUUID();
  }

  /**
   * All messages of a queue, which stay there. A browser may end early on a busy machine, so the
   * queue is read until a reading finds no more than the one before.
   */
  List<Received> received(String queue) throws JMSException {
    List<Received> most = browsed(queue);
    for (List<Received> next = browsed(queue); next.size() > most.size(); next = browsed(queue)) {
      most = next;
    }
    return most;
  }

  private List<Received> browsed(String queue) throws JMSException {
    try (ActiveMQConnectionFactory factory = factory();
        Connection connection = factory.createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueBrowser browser = session.createBrowser(session.createQueue(queue))) {
      connection.start();
      List<Received> all = new ArrayList<>();
      for (Enumeration<?> each = browser.getEnumeration(); each.hasMoreElements(); ) {
        all.add(received((BytesMessage) each.nextElement()));
      }
      return all;
    }
  }

  private static Received received(BytesMessage message) throws JMSException {
    byte[] body = new byte[(int) message.getBodyLength()];
    message.readBytes(body);
    Map<String, String> headers = properties(message);
    headers.put("JMSType", message.getJMSType());
    return new Received(
        MessageId.parse(message.getStringProperty("messageId")),
        message.getStringProperty("JMSXGroupID"),
        headers,
        body);
  }

  /** As Apache Camel reads them. */
  static Map<String, String> properties(Message message) throws JMSException {
    Map<String, String> properties = new HashMap<>();
    for (Enumeration<?> each = message.getPropertyNames(); each.hasMoreElements(); ) {
      Object name = each.nextElement();
      String header = name.toString().replace("_HYPHEN_", "-").replace("_DOT_", ".");
      properties.put(header, message.getStringProperty(name.toString()));
    }
    return properties;
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
