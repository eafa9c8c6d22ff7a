package dev.outbox.brokers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.brokers.judge.FlightLog;
import dev.outbox.brokers.judge.SettleLog;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.servers.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A relay in its own process, until its input ends: broker, address, url, user, password. Its
 * output is a {@link FlightLog} and a {@link SettleLog}.
 */
public final class RelayMain {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration RENEWAL = Duration.ofSeconds(1);
  private static final Duration DEADLINE = Duration.ofSeconds(6);

  private RelayMain() {}

  /** Starts one; what it prints is in {@code log}. */
  public static Process start(BrokerKind kind, String address, Sandbox sandbox, Path log)
      throws IOException {
    return Forked.start(
        RelayMain.class,
        log,
        kind.name(),
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
    config.addDataSourceProperty("loginTimeout", "30");
    BrokerKind.OwnedPublisher broker = BrokerKind.valueOf(args[0]).publisher(args[1], DEADLINE);
    try (HikariDataSource dataSource = new HikariDataSource(config);
        Relay relay =
            Relay.builder(
                    new SettleLog(JdbcStore.create(dataSource), System.out),
                    FlightLog.of(broker.publisher(), System.out))
                .owns(broker.owned())
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
