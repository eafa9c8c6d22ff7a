package dev.outbox.capture;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.kafka.KafkaPublisher;
import java.time.Duration;
import java.util.Map;

/** A relay that publishes to Kafka until its input ends: servers, url, user, password. */
public final class RelayMain {
  private RelayMain() {}

  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[1]);
    config.setUsername(args[2]);
    config.setPassword(args[3]);
    config.setMaximumPoolSize(3);
    KafkaPublisher kafka = KafkaPublisher.create(Map.of("bootstrap.servers", args[0]));
    try (HikariDataSource dataSource = new HikariDataSource(config);
        Relay relay =
            Relay.builder(JdbcStore.create(dataSource), kafka)
                .owns(kafka)
                .lease(Duration.ofSeconds(3), Duration.ofSeconds(1))
                .start()) {
      System.out.println(relay.name());
      System.in.transferTo(System.out);
    }
  }
}
