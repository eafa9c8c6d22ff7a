package dev.outbox.migration;

import com.example.OrderPlaced;
import dev.outbox.servers.Sandbox;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.List;
import java.util.Map;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox over JDBC: a record with its key and its context is a row. Stateless. */
final class Namastack implements Origin {
  private static final String WITHOUT_MODULITH =
      "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
          + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
          + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration";

  /** The application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  public static class Application {
    @Bean
    Handler handler() {
      return new Handler();
    }
  }

  /** Publishes nowhere. */
  public static final class Handler implements OutboxTypedHandler<OrderPlaced> {
    @Override
    public void handle(OrderPlaced payload, OutboxRecordMetadata metadata) {}
  }

  @Override
  public void fill(Sandbox sandbox) throws Exception {
    List<OrderPlaced> orders = Origin.orders();
    try (ConfigurableApplicationContext context = start(sandbox, "100ms")) {
      schedule(context, orders.subList(0, DELIVERED));
      SpringApplication.await(
          context, "SELECT count(*) FROM outbox_record WHERE completed_at IS NOT NULL", DELIVERED);
    }
    try (ConfigurableApplicationContext context = start(sandbox, "1h")) {
      schedule(context, orders.subList(DELIVERED, ALL));
    }
  }

  private static ConfigurableApplicationContext start(Sandbox sandbox, String interval) {
    return SpringApplication.start(
        Application.class,
        sandbox,
        Map.of(
            "namastack.outbox.polling.fixed.interval", interval,
            "spring.autoconfigure.exclude", WITHOUT_MODULITH));
  }

  private static void schedule(ConfigurableApplicationContext context, List<OrderPlaced> orders) {
    Outbox outbox = context.getBean(Outbox.class);
    TransactionTemplate transactions = context.getBean(TransactionTemplate.class);
    for (OrderPlaced order : orders) {
      transactions.executeWithoutResult(
          status -> outbox.schedule(order, order.customer(), Map.of("tenant", "acme")));
    }
  }

  @Override
  public String ids() {
    return "SELECT id FROM outbox_record";
  }

  /** On MySQL and MariaDB it keeps seconds only. */
  @Override
  public boolean keepsOrder(boolean isPostgres) {
    return isPostgres;
  }
}
