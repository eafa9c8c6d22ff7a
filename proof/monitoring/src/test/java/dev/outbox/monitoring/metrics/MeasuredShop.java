package dev.outbox.monitoring.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.micrometer.TimedDataSource;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A program whose messages meet one of each, and which Prometheus can collect from. */
final class MeasuredShop implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final TimedDataSource dataSource;
  private final OutboxMetrics metrics;
  private final Outbox outbox;
  private final Relay relay;
  private final HttpServer server;

  MeasuredShop(Sandbox sandbox) throws IOException {
    dataSource = TimedDataSource.of(sandbox.pool(8));
    dataSource.bindTo(registry);
    Schema.builder(dataSource).create();
    JdbcStore store = JdbcStore.create(dataSource);
    Topics.create(store).pause("reports");
    metrics = OutboxMetrics.builder(store).interval(Duration.ofSeconds(1)).build();
    metrics.bindTo(registry);
    outbox = Outbox.builder(store).observer(metrics).build();
    relay =
        Relay.builder(store, Publisher.batch(MeasuredShop::answers).observed(metrics))
            .listener(metrics)
            .owns(metrics)
            .start();
    metrics.watch(relay);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] scrape = registry.scrape().getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, scrape.length);
          exchange.getResponseBody().write(scrape);
          exchange.close();
        });
    server.start();
  }

  private static List<Ack> answers(List<Envelope> envelopes) {
    return envelopes.stream().map(MeasuredShop::answer).toList();
  }

  private static Ack answer(Envelope envelope) {
    return switch (envelope.topic()) {
      case "mails" -> Ack.rejected("no such address");
      case "faxes" -> Ack.failed(new IllegalStateException("busy"));
      case "letters" -> Ack.unavailable(new ConnectException("refused"));
      default -> Ack.delivered();
    };
  }

  int port() {
    return server.getAddress().getPort();
  }

  void enqueue(List<Message> messages) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      outbox.enqueue(connection, messages);
      connection.commit();
      outbox.wake();
    }
  }

  @Override
  public void close() {
    relay.close();
    server.stop(0);
  }
}
