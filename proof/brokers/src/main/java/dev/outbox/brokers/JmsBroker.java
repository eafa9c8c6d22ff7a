package dev.outbox.brokers;

import dev.outbox.servers.ArtemisServer;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Artemis with one queue. */
final class JmsBroker implements TestBroker {
  private static final int AT_ONCE = 1000;
  private static final long SILENCE_MILLIS = 2000;

  private final ArtemisServer server = ArtemisServer.start();
  private final int port;

  JmsBroker(IntUnaryOperator network) {
    this.port = network.applyAsInt(server.port());
  }

  /** As the page recommends it. */
  static ActiveMQConnectionFactory factory(String address) {
    return new ActiveMQConnectionFactory(address);
  }

  private static String address(int port) {
    return "tcp://127.0.0.1:%d?confirmationWindowSize=1048576&callTimeout=1000".formatted(port);
  }

  @Override
  public String address() {
    return address(port);
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  @Override
  public void renew() throws Exception {
    List<Arrived> unused = arrived();
  }

  /** Counts by receiving: a browser of Artemis ends early, and misses messages that are there. */
  @Override
  public long size() throws Exception {
    return arrived().size();
  }

  /** This many in a transaction, because each end of one waits for the disk. */
  @Override
  public List<Arrived> arrived() throws Exception {
    List<Arrived> arrived = new ArrayList<>();
    try (ActiveMQConnectionFactory factory = factory(address(server.port()));
        Connection connection = factory.createConnection();
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(TOPIC))) {
      connection.start();
      Message next = consumer.receive(SILENCE_MILLIS);
      while (next != null) {
        arrived.add(arrived((BytesMessage) next));
        if (arrived.size() % AT_ONCE == 0) {
          session.commit();
        }
        next = consumer.receive(SILENCE_MILLIS);
      }
      session.commit();
    }
    return arrived;
  }

  private static Arrived arrived(BytesMessage message) throws JMSException {
    byte[] body = new byte[(int) message.getBodyLength()];
    message.readBytes(body);
    return new Arrived(
        message.getStringProperty("messageId"),
        message.getStringProperty("JMSXGroupID"),
        new String(body, StandardCharsets.UTF_8));
  }

  @Override
  public HandSender handSender() throws Exception {
    ActiveMQConnectionFactory factory = factory(address());
    Connection connection = factory.createConnection();
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    Queue queue = session.createQueue(TOPIC);
    return new Sender(
        factory, connection, session, session.createProducer(queue), new ArrayList<>());
  }

  /** The asynchronous send, the fastest that JMS has. */
  private record Sender(
      ActiveMQConnectionFactory factory,
      Connection connection,
      Session session,
      MessageProducer producer,
      List<CompletableFuture<Void>> sends)
      implements HandSender {
    @Override
    public void send(Row row) throws JMSException {
      BytesMessage message = session.createBytesMessage();
      message.setJMSType(row.topic());
      message.setStringProperty("messageId", row.id().toString());
      message.setStringProperty("_AMQ_DUPL_ID", row.id().toString());
      message.setStringProperty("contentType", row.contentType());
      if (row.key() != null) {
        message.setStringProperty("JMSXGroupID", row.key());
      }
      message.writeBytes(row.payload());
      CompletableFuture<Void> sent = new CompletableFuture<>();
      sends.add(sent);
      producer.send(
          message,
          DeliveryMode.PERSISTENT,
          Message.DEFAULT_PRIORITY,
          Message.DEFAULT_TIME_TO_LIVE,
          new CompletionListener() {
            @Override
            public void onCompletion(Message confirmed) {
              sent.complete(null);
            }

            @Override
            public void onException(Message refused, Exception thrown) {
              sent.completeExceptionally(thrown);
            }
          });
    }

    @Override
    public void await() {
      sends.forEach(CompletableFuture::join);
      sends.clear();
    }

    @Override
    public void close() throws IOException {
      try {
        connection.close();
      } catch (JMSException e) {
        throw new IOException("the connection cannot be closed", e);
      }
      factory.close();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
