package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Inbox.Answer;
import dev.outbox.Inbox.Sorted;
import dev.outbox.Outbox;
import dev.outbox.examples.inbox.Receiving;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/consume-once.md. */
class ConsumeOncePageTest {
  @Test
  void a_message_is_done_once_and_one_that_is_too_old_is_not_done() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE mails (text VARCHAR(200))");
      }
      Receiving receiving = new Receiving(sandbox.dataSource());
      MessageId first = MessageId.next();
      MessageId second = MessageId.next();
      assertThat(receiving.receive(first, "hello")).isEqualTo(Answer.DONE);
      assertThat(receiving.receive(first, "hello")).isEqualTo(Answer.REPEATED);
      assertThat(receiving.receive(List.of(second, first)))
          .isEqualTo(new Sorted(List.of(second), List.of(first), List.of()));
      Instant longAgo = Instant.now().minus(Duration.ofDays(60));
      MessageId old = new MessageId(new UUID(longAgo.toEpochMilli() << 16 | 0x7000L, 1L << 63));
      assertThat(receiving.receive(old, "hello")).isEqualTo(Answer.TOO_OLD);
      assertThat(receiving.receiveDelayed(old, Instant.now())).isEqualTo(Answer.DONE);
      assertThat(receiving.purge()).isZero();
    }
  }

  @Test
  void a_request_that_comes_twice_is_enqueued_once() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.dataSource()).with(Schema.Part.DEDUPE).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.dataSource()));
      try (Connection connection = sandbox.open()) {
        connection.setAutoCommit(false);
        MessageId first = Receiving.place(outbox, connection, "request 7");
        assertThat(Receiving.place(outbox, connection, "request 7")).isEqualTo(first);
        connection.commit();
      }
    }
  }
}
