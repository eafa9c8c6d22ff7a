package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.StoreException;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that does not wait any longer for a receipt of somebody else. */
class InboxRefusedTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_batch_that_is_refused_leaves_no_receipt_and_the_transaction_goes_on(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource consumers = sandbox.pool();
      Schema.builder(consumers).only(Schema.Part.RECEIPT).create();
      Inbox inbox = Inbox.create(JdbcInbox.create(consumers));
      List<MessageId> ids = Stream.generate(MessageId::next).limit(3).sorted().toList();
      try (Connection other = begin(consumers);
          Connection consumer = begin(consumers)) {
        // the first is there, so that the batch is written one by one; the last is waited for
        inbox.once(consumer, "mailer", ids.get(0), transaction -> {});
        consumer.commit();
        inbox.once(other, "mailer", ids.get(2), transaction -> {});
        waitShortly(consumer, database);

        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> inbox.receive(consumer, "mailer", ids));
        consumer.commit();

        other.rollback();
        assertThat(inbox.once(consumer, "mailer", ids.get(1), transaction -> {}))
            .isEqualTo(Answer.DONE);
        consumer.commit();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_delivery_that_is_refused_does_no_work_and_the_transaction_goes_on(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource consumers = sandbox.pool();
      Schema.builder(consumers).only(Schema.Part.RECEIPT).create();
      Inbox inbox = Inbox.create(JdbcInbox.create(consumers));
      MessageId before = MessageId.next();
      MessageId waitedFor = MessageId.next();
      List<MessageId> worked = new ArrayList<>();
      try (Connection other = begin(consumers);
          Connection consumer = begin(consumers)) {
        waitShortly(consumer, database);
        inbox.once(consumer, "mailer", before, transaction -> worked.add(before));
        inbox.once(other, "mailer", waitedFor, transaction -> {});

        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(
                () ->
                    inbox.once(
                        consumer, "mailer", waitedFor, transaction -> worked.add(waitedFor)));
        consumer.commit();

        assertThat(worked).containsExactly(before);
        other.rollback();
        assertThat(inbox.once(consumer, "mailer", before, transaction -> worked.add(before)))
            .isEqualTo(Answer.REPEATED);
        assertThat(inbox.once(consumer, "mailer", waitedFor, transaction -> worked.add(waitedFor)))
            .isEqualTo(Answer.DONE);
        consumer.commit();
        assertThat(worked).containsExactly(before, waitedFor);
      }
    }
  }

  private static Connection begin(DataSource consumers) throws Exception {
    Connection connection = consumers.getConnection();
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void waitShortly(Connection connection, Database database) throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          switch (database) {
            case POSTGRES -> "SET lock_timeout = '300ms'";
            case MYSQL, MARIADB -> "SET innodb_lock_wait_timeout = 1";
            default -> "SET LOCK_TIMEOUT 300";
          });
    }
    connection.commit();
  }
}
