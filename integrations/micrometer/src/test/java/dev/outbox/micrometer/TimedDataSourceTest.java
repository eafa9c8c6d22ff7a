package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The time that borrowers wait. */
class TimedDataSourceTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Timer waits() {
    return registry.get("outbox.pool.wait").timer();
  }

  @Test
  void a_wait_is_timed_whether_it_ends_with_a_connection_or_not() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setDataSource(sandbox.dataSource());
      pool.setMaximumPoolSize(1);
      pool.setConnectionTimeout(250);
      TimedDataSource timed = TimedDataSource.of(pool);
      timed.bindTo(registry);
      timed.bindTo(registry); // as Spring Boot does with a bean that was bound by hand
      try (Connection connection = timed.getConnection()) {
        assertThat(connection.isValid(1)).isTrue();
        assertThat(waits().count()).isEqualTo(1);
        assertThatExceptionOfType(SQLException.class).isThrownBy(timed::getConnection);
      }
      assertThat(waits().count()).isEqualTo(2);
      assertThat(waits().totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(250);
    }
  }

  @Test
  void what_the_pool_can_be_asked_for_can_be_asked_through_it() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource pool = sandbox.pool(1);
      TimedDataSource timed = TimedDataSource.of(pool);
      assertThat(timed.isWrapperFor(HikariDataSource.class)).isTrue();
      assertThat(timed.unwrap(HikariDataSource.class)).isSameAs(pool);
      assertThat(timed.unwrap(TimedDataSource.class)).isSameAs(timed);
    }
  }
}
