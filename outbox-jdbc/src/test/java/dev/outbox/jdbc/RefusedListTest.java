package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A list that takes several statements, of which the database refuses a later one, in a transaction
 * that commits all the same.
 */
class RefusedListTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_long_list_is_written_as_a_whole_or_not_at_all(Database database) throws SQLException {
    List<Message> messages =
        Stream.concat(IntStream.range(0, 600).boxed(), Stream.of(0))
            .map(number -> Message.to("topic" + number).text("x"))
            .toList();
    assertNothingIsLeft(database, "CREATE UNIQUE INDEX one_each ON outbox (topic)", messages);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void so_is_one_with_delayed_messages(Database database) throws SQLException {
    List<Message> messages =
        List.of(
            Message.to("orders").text("now"),
            Message.to("orders").deliverAfter(Duration.ofHours(1)).text("later"));
    assertNothingIsLeft(database, "DROP TABLE outbox_delayed", messages);
  }

  private static void assertNothingIsLeft(Database database, String mistake, List<Message> messages)
      throws SQLException {
    try (Sandbox sandbox = database.sandbox();
        Connection writer = sandbox.open();
        Statement statement = writer.createStatement()) {
      Schema.builder(sandbox.dataSource()).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.dataSource()));
      statement.execute(mistake);
      writer.setAutoCommit(false);
      outbox.enqueue(writer, Message.to("before").text("x"));

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> outbox.enqueue(writer, messages));

      outbox.enqueue(writer, Message.to("after").text("x"));
      writer.commit();
      try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM outbox")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(2);
      }
    }
  }
}
