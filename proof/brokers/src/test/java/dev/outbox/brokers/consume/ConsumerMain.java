package dev.outbox.brokers.consume;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Inbox;
import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.Forked;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A consumer in its own process: way, address, url, user, password. */
public final class ConsumerMain {
  private ConsumerMain() {}

  /** The four ways of the page. */
  enum Way {
    KAFKA_CONSUMER(BrokerKind.KAFKA),
    KAFKA_LISTENER(BrokerKind.KAFKA),
    RABBIT_CLIENT(BrokerKind.RABBITMQ),
    RABBIT_LISTENER(BrokerKind.RABBITMQ);

    final BrokerKind kind;

    Way(BrokerKind kind) {
      this.kind = kind;
    }

    Receiving open() {
      return switch (this) {
        case KAFKA_CONSUMER -> new KafkaReceiver();
        case KAFKA_LISTENER -> new KafkaListening();
        case RABBIT_CLIENT -> new RabbitReceiver();
        case RABBIT_LISTENER -> new RabbitListening();
      };
    }
  }

  /** Starts one; what it prints is in {@code log}. */
  static Process start(Way way, String address, Sandbox sandbox, Path log) throws IOException {
    return Forked.start(
        ConsumerMain.class,
        log,
        way.name(),
        address,
        sandbox.url(),
        sandbox.user(),
        sandbox.password());
  }

  public static void main(String[] args) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[2]);
    config.setUsername(args[3]);
    config.setPassword(args[4]);
    config.setMaximumPoolSize(3);
    try (HikariDataSource dataSource = new HikariDataSource(config)) {
      Inbox inbox = Inbox.create(JdbcInbox.create(dataSource));
      while (true) {
        try {
          Way.valueOf(args[0]).open().run(args[1], dataSource, inbox);
        } catch (Exception e) {
          System.out.println("begins again after " + e);
        }
        TimeUnit.MILLISECONDS.sleep(500);
      }
    }
  }
}
