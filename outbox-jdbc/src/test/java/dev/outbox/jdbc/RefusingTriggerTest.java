package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a trigger refuses is refused for its rows: the database has not gone away. */
class RefusingTriggerTest {
  private static final String POSTGRES =
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'not today';
      END $$;
      CREATE TRIGGER refusing BEFORE INSERT ON outbox
      FOR EACH ROW EXECUTE FUNCTION refuse()
      """;
  private static final String MYSQL =
      """
      CREATE TRIGGER refusing BEFORE INSERT ON outbox FOR EACH ROW
      SIGNAL SQLSTATE 'TR001' SET MESSAGE_TEXT = 'not today'
      """;

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_trigger_that_refuses_is_no_outage(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection writer = sandbox.open();
        Statement statement = writer.createStatement()) {
      Schema.builder(sandbox.dataSource()).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.dataSource()));
      statement.execute(database == Database.POSTGRES ? POSTGRES : MYSQL);
      writer.setAutoCommit(false);

      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(() -> outbox.enqueue(writer, Message.to("orders").text("x")))
          .withMessageContaining("not today")
          .matches(StoreException::isOfItsRows, "is of its rows");
    }
  }
}
