package dev.outbox.brokers;

import dev.outbox.servers.NatsServer;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;

/** NATS JetStream with one stream on the disk. */
@SuppressWarnings("try") // to be interrupted in close ends the test
final class NatsBroker implements TestBroker {
  private static final String STREAM = "ORDERS";
  private final NatsServer server = NatsServer.start();
  private final int port;

  NatsBroker(IntUnaryOperator network) throws Exception {
    this.port = network.applyAsInt(server.port());
    renew();
  }

  @Override
  public String address() {
    return address(port);
  }

  private static String address(int port) {
    return "nats://127.0.0.1:" + port;
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
    try (Connection connection = Nats.connect(address(server.port()))) {
      JetStreamManagement management = connection.jetStreamManagement();
      if (management.getStreamNames().contains(STREAM)) {
        management.deleteStream(STREAM);
      }
      management.addStream(
          StreamConfiguration.builder()
              .name(STREAM)
              .subjects(TOPIC)
              .storageType(StorageType.File)
              .build());
    }
  }

  @Override
  public long size() throws Exception {
    try (Connection connection = Nats.connect(address(server.port()))) {
      return size(connection);
    }
  }

  private static long size(Connection connection) throws Exception {
    return connection.jetStreamManagement().getStreamInfo(STREAM).getStreamState().getMsgCount();
  }

  @Override
  public List<Arrived> arrived() throws Exception {
    try (Connection connection = Nats.connect(address(server.port()))) {
      long there = size(connection);
      JetStreamSubscription subscription =
          connection
              .jetStream()
              .subscribe(
                  TOPIC, PushSubscribeOptions.builder().stream(STREAM).ordered(true).build());
      List<Arrived> arrived = new ArrayList<>();
      while (arrived.size() < there) {
        Message next = subscription.nextMessage(Duration.ofSeconds(10));
        if (next == null) {
          throw new IllegalStateException(arrived.size() + " of " + there + " messages came");
        }
        arrived.add(arrived(next));
      }
      return arrived;
    }
  }

  private static Arrived arrived(Message message) {
    Headers headers = message.getHeaders();
    return new Arrived(
        String.valueOf(headers.getFirst("Nats-Msg-Id")),
        headers.getFirst("message-key"),
        new String(message.getData(), StandardCharsets.UTF_8));
  }

  @Override
  public HandSender handSender() throws Exception {
    Connection connection = Nats.connect(address(server.port()));
    return new Sender(connection, connection.jetStream(), new ArrayList<>());
  }

  /** With the client's own settings. */
  private record Sender(Connection connection, JetStream jetStream, List<Future<PublishAck>> sends)
      implements HandSender {
    @Override
    public void send(Row row) {
      Headers headers = new Headers();
      headers.put("Nats-Msg-Id", row.id().toString());
      if (row.key() != null) {
        headers.put("message-key", row.key());
      }
      headers.put("content-type", row.contentType());
      sends.add(jetStream.publishAsync(row.topic(), headers, row.payload()));
    }

    @Override
    public void await() throws Exception {
      for (Future<PublishAck> send : sends) {
        send.get();
      }
      sends.clear();
    }

    @Override
    public void close() throws IOException {
      try {
        connection.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while closing", e);
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
