package dev.outbox.brokers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.kafka.KafkaPublisher;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A relay to Kafka in a process of its own, until its input ends: url, user, password, brokers. */
public final class RelayMain {
  static final Duration LEASE = Duration.ofSeconds(3);
  static final Duration RENEWAL = Duration.ofSeconds(1);
  static final Duration DEADLINE = Duration.ofSeconds(6);

  private RelayMain() {}

  public static void main(String[] args) throws IOException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setUsername(args[1]);
    config.setPassword(args[2]);
    config.setMaximumPoolSize(3);
    config.addDataSourceProperty("loginTimeout", "30");
    KafkaPublisher kafka =
        KafkaPublisher.builder(Map.of("bootstrap.servers", args[3]))
            .publishDeadline(DEADLINE)
            .build();
    try (HikariDataSource dataSource = new HikariDataSource(config);
        Relay relay =
            Relay.builder(JdbcStore.create(dataSource), kafka)
                .owns(kafka)
                .lease(LEASE, RENEWAL)
                .publishDeadline(DEADLINE)
                .start()) {
      System.out.println(relay.name());
      while (System.in.read() >= 0) {
        System.out.println(relay.status());
      }
    }
  }
}
