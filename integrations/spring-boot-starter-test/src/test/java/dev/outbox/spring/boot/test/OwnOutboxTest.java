package dev.outbox.spring.boot.test;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.OutboxSettings;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.transaction.support.TransactionTemplate;

/** The kit's outbox takes the place of the one of several that is the application's first. */
@SpringBootTest
@OutboxTest
class OwnOutboxTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    @Primary
    Outbox outbox(OutboxStore store, OutboxSettings settings) {
      Outbox.Builder builder = Outbox.builder(store);
      settings.applyTo(builder);
      return builder.build();
    }

    @Bean
    Outbox another() {
      return Outbox.create(InMemoryStore.create());
    }
  }

  @Test
  void what_the_application_enqueues_is_seen(
      @Autowired Outbox.Joined outbox,
      @Autowired TransactionTemplate transactions,
      @Autowired Kit kit) {
    transactions.executeWithoutResult(
        status -> outbox.enqueue(Message.to("orders.placed").key("42").text("placed")));

    assertThat(kit).hasEnqueued("orders.placed").withKey("42").times(1);
  }
}
