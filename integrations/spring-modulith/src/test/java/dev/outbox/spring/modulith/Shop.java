package dev.outbox.spring.modulith;

import dev.outbox.message.Envelope;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.util.List;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** An application whose events go to the outbox, without a registry of events beside it. */
@SpringBootApplication
class Shop {
  static ApplicationContextRunner application() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Shop.class)
        .withPropertyValues(
            "spring.datasource.generate-unique-name=true",
            "spring.modulith.events.externalization.mode=outbox",
            // as without spring-modulith-events-jdbc
            "spring.autoconfigure.exclude="
                + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration",
            "outbox.relay.enabled=false");
  }

  static void publish(ApplicationContext context, Object event) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.publishEvent(event));
  }

  static List<Envelope> sent(ApplicationContext context) {
    InMemoryBroker broker = InMemoryBroker.create();
    try (ManualRelay relay =
        ManualRelay.of(context.getBean(OutboxStore.class), broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().stream().map(arrival -> arrival.envelope()).toList();
  }
}
