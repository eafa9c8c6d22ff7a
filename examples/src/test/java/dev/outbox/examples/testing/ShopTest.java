package dev.outbox.examples.testing;

import static dev.outbox.testkit.assertj.KitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.testkit.Kit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ShopTest {
  private final HikariDataSource dataSource = new HikariDataSource();
  private Kit kit;

  /** The code under test: its own row and the message, in one transaction. */
  static void sell(DataSource dataSource, Outbox outbox, String order) throws SQLException {
    Transactions.run(
        dataSource,
        outbox,
        transaction -> {
          try (PreparedStatement insert =
              transaction.prepareStatement("INSERT INTO sale (id) VALUES (?)")) {
            insert.setString(1, order);
            insert.executeUpdate();
          }
          outbox.enqueue(transaction, Message.to("sales").key(order).text("sold"));
        });
  }

  @BeforeEach
  void open() throws SQLException {
    dataSource.setJdbcUrl("jdbc:h2:mem:shop");
    Schema.builder(dataSource).create();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE sale (id varchar(20) PRIMARY KEY)");
    }
    kit = Kit.over(JdbcStore.create(dataSource));
  }

  @AfterEach
  void close() {
    kit.close();
    dataSource.close();
  }

  @Test
  void a_sale_is_published_once() throws Exception {
    sell(dataSource, kit.outbox(), "42");
    assertThat(kit).hasEnqueued("sales").withKey("42").times(1);
    kit.deliver();
    assertThat(kit.broker()).hasReceived("sales").withKey("42").once();
    assertThat(kit).isDrained();
  }

  @Test
  void what_is_sold_twice_is_published_once() throws Exception {
    sell(dataSource, kit.outbox(), "42");
    assertThatThrownBy(() -> sell(dataSource, kit.outbox(), "42"))
        .isInstanceOf(SQLException.class); // the primary key
    assertThat(kit).hasEnqueued("sales").times(1);
  }
}
