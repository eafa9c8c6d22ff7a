package dev.outbox.migration;

import com.example.OrderPlaced;
import dev.outbox.servers.Sandbox;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Modulith's registry over JDBC: an event of its externalizer is a row. Stateless. */
final class Modulith implements Origin {
  /** The application, whose broker takes the first messages only. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @EnableAsync
  public static class Application {
    @Bean
    EventExternalizationConfiguration events() {
      return EventExternalizationConfiguration.externalizing()
          .select(EventExternalizationConfiguration.annotatedAsExternalized())
          .build();
    }

    @Bean
    CountDownLatch failures() {
      return new CountDownLatch(ALL - DELIVERED);
    }

    @Bean
    EventExternalizerModuleListener externalizer(
        EventExternalizationConfiguration events, CountDownLatch failures) {
      return new EventExternalizerModuleListener(
          events, (payload, target) -> send((OrderPlaced) payload, failures));
    }

    private static CompletableFuture<?> send(OrderPlaced order, CountDownLatch failures) {
      if (order.number() <= DELIVERED) {
        return CompletableFuture.completedFuture(order);
      }
      failures.countDown();
      return CompletableFuture.failedFuture(new IllegalStateException("the broker is down"));
    }
  }

  @Override
  public void fill(Sandbox sandbox) throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.start(
            Application.class,
            sandbox,
            Map.of(
                "namastack.outbox.enabled", false,
                "spring.modulith.events.jdbc.schema-initialization.enabled", true))) {
      TransactionTemplate transactions = context.getBean(TransactionTemplate.class);
      for (OrderPlaced order : Origin.orders()) {
        transactions.executeWithoutResult(status -> context.publishEvent(order));
      }
      if (!context.getBean(CountDownLatch.class).await(60, TimeUnit.SECONDS)) {
        throw new AssertionError("not all were sent to the broker");
      }
      SpringApplication.await(
          context,
          "SELECT count(*) FROM EVENT_PUBLICATION WHERE COMPLETION_DATE IS NOT NULL",
          DELIVERED);
    }
  }

  @Override
  public String ids() {
    return "SELECT ID FROM EVENT_PUBLICATION";
  }

  @Override
  public boolean keepsOrder(boolean isPostgres) {
    return true;
  }
}
