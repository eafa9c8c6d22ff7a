package dev.outbox.spring.boot.test;

import dev.outbox.Outbox;
import dev.outbox.publish.Publisher;
import dev.outbox.spring.boot.OutboxCustomizer;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with a publisher that must not be called by a test. */
@SpringBootApplication
class Shop {
  @Bean
  Publisher broker() {
    return Publisher.blocking(
        envelope -> {
          throw new IllegalStateException("the real broker in a test");
        });
  }

  @Bean
  OutboxCustomizer<Outbox.Builder> tenant() {
    return outbox -> outbox.headers(() -> Map.of("tenant", "acme"));
  }
}
