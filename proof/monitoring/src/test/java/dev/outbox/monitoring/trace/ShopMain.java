package dev.outbox.monitoring.trace;

import dev.outbox.brokers.BrokerKind;
import dev.outbox.opentelemetry.OutboxTracing;
import dev.outbox.publish.Publisher;
import io.opentelemetry.api.GlobalOpenTelemetry;
import java.io.OutputStream;
import java.util.function.UnaryOperator;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A shop in a process under the agent, which traces requests and clients by itself. Arguments: the
 * broker and its address, the database, and whether the publisher is observed.
 */
final class ShopMain {
  static final String PORT = "port ";
  static final String INVOICED = "invoiced ";

  private ShopMain() {}

  public static void main(String[] arguments) throws Exception {
    BrokerKind kind = BrokerKind.valueOf(arguments[0]);
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(arguments[2]);
    dataSource.setUser(arguments[3]);
    dataSource.setPassword(arguments[4]);
    OutboxTracing tracing = OutboxTracing.create(GlobalOpenTelemetry.get());
    UnaryOperator<Publisher> observed =
        Boolean.parseBoolean(arguments[5])
            ? publisher -> publisher.observed(tracing)
            : UnaryOperator.identity();
    Shop.Traced traced =
        new Shop.Traced(tracing, observed, UnaryOperator.identity(), ShopMain::told);
    try (Shop shop = new Shop(kind, arguments[1], dataSource, traced)) {
      System.out.println(PORT + shop.port());
      System.in.transferTo(OutputStream.nullOutputStream()); // its end is the end
    }
  }

  private static Orders.Handler told(Orders.Handler handler) {
    return (topic, headers, order) -> {
      handler.handle(topic, headers, order);
      System.out.println(INVOICED + order);
    };
  }
}
