package dev.outbox.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.console.look.Looker;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class StoreWatchTest {
  @Test
  void an_Error_in_a_look_ends_the_looks_only_until_the_next_watches() throws Exception {
    AtomicBoolean broken = new AtomicBoolean();
    try (HikariDataSource dataSource = failing(broken)) {
      dataSource.setJdbcUrl("jdbc:h2:mem:watch");
      Schema.builder(dataSource).create();
      Looker looker = new Looker(JdbcStore.create(dataSource), 10);
      broken.set(true);
      try (StoreWatch watch = new StoreWatch(looker, Duration.ofMillis(10))) {
        List<StoreWatch.Sample> samples = List.of();
        for (int tries = 0; tries < 50 && samples.isEmpty(); tries++) {
          assertThat(watch.join()).isTrue();
          samples = watch.after(0, Duration.ofMillis(100));
          watch.leave();
        }
        assertThat(samples).isNotEmpty();
      }
    }
  }

  @Test
  void a_look_takes_one_connection_at_a_time_and_keeps_none() throws Exception {
    try (HikariDataSource dataSource = new HikariDataSource()) {
      dataSource.setJdbcUrl("jdbc:h2:mem:one");
      dataSource.setMaximumPoolSize(1);
      dataSource.setConnectionTimeout(1000);
      Schema.builder(dataSource).create();
      Looker looker = new Looker(JdbcStore.create(dataSource), 10);
      try (StoreWatch watch = new StoreWatch(looker, Duration.ofHours(1))) {
        assertThat(watch.join()).isTrue();
        List<StoreWatch.Sample> samples = watch.after(0, Duration.ofSeconds(30));
        assertThat(samples).singleElement().extracting(StoreWatch.Sample::look).isNotNull();
        assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
        watch.leave();
      }
    }
  }

  /** Its next connection costs an Error, once. */
  private static HikariDataSource failing(AtomicBoolean broken) {
    return new HikariDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        if (broken.getAndSet(false)) {
          throw new NoClassDefFoundError("a class of the driver");
        }
        return super.getConnection();
      }
    };
  }
}
