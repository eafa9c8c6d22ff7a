package dev.outbox.tck.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Inbox.Answer;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.InMemoryStore;
import java.io.IOException;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The work of a message is done once. */
public abstract class ReceivingCases extends InboxCases {
  protected ReceivingCases(Opener opener) {
    super(opener);
  }

  private final AtomicInteger worked = new AtomicInteger();

  @Test
  void the_first_does_the_work_and_a_repeat_does_none_and_says_so() throws Exception {
    MessageId id = MessageId.next();
    assertThat(commit(MAILER, id, worked::incrementAndGet)).isEqualTo(Answer.DONE);
    assertThat(commit(MAILER, id, worked::incrementAndGet)).isEqualTo(Answer.REPEATED);
    assertThat(commit(MAILER, MessageId.next(), worked::incrementAndGet)).isEqualTo(Answer.DONE);
    assertThat(worked).hasValue(2);
  }

  @Test
  void a_repeat_in_the_same_transaction_is_one_too() throws Exception {
    MessageId id = MessageId.next();
    try (Connection connection = begin()) {
      assertThat(inbox().once(connection, MAILER, id, transaction -> {})).isEqualTo(Answer.DONE);
      assertThat(inbox().once(connection, MAILER, id, transaction -> {}))
          .isEqualTo(Answer.REPEATED);
      connection.commit();
    }
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
  }

  @Test
  void every_consumer_has_the_message_once_however_alike_their_names() throws Exception {
    MessageId id = MessageId.next();
    List<String> names =
        List.of("mailer", "Mailer", "mailer ", "mail\u00e9r", "mailer\ud83d\ude80");
    for (String name : names) {
      assertThat(commit(name, id, () -> {})).as(name).isEqualTo(Answer.DONE);
    }
    for (String name : names) {
      assertThat(commit(name, id, () -> {})).as(name).isEqualTo(Answer.REPEATED);
    }
    assertThat(commit("m".repeat(255), id, () -> {})).isEqualTo(Answer.DONE);
    assertThat(commit("\u20ac".repeat(255), id, () -> {})).isEqualTo(Answer.DONE);
  }

  @Test
  void after_a_rollback_the_next_one_does_the_work() throws Exception {
    MessageId id = MessageId.next();
    Connection connection = begin();
    assertThat(inbox().once(connection, MAILER, id, transaction -> {})).isEqualTo(Answer.DONE);
    connection.rollback();
    assertThat(commit(id)).isEqualTo(Answer.DONE);
  }

  @Test
  void a_failing_work_takes_back_its_receipt_alone_and_the_transaction_goes_on() throws Exception {
    MessageId good = MessageId.next();
    MessageId bad = MessageId.next();
    Connection connection = begin();
    inbox().once(connection, MAILER, good, transaction -> {});
    assertThatThrownBy(
            () ->
                inbox()
                    .once(
                        connection,
                        MAILER,
                        bad,
                        transaction -> {
                          throw new IOException("no paper");
                        }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no paper");
    assertThat(inbox().once(connection, MAILER, MessageId.next(), transaction -> {}))
        .isEqualTo(Answer.DONE);
    connection.commit();
    assertThat(commit(bad)).isEqualTo(Answer.DONE);
    assertThat(commit(good)).isEqualTo(Answer.REPEATED);
  }

  @Test
  void the_caller_keeps_its_connection_as_it_was() throws Exception {
    try (Connection connection = begin()) {
      inbox().once(connection, MAILER, MessageId.next(), transaction -> {});
      assertThat(connection.isClosed()).isFalse();
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(connection.getTransactionIsolation())
          .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      connection.rollback();
    }
  }

  @Test
  void callers_of_every_isolation_receive() throws Exception {
    for (int isolation :
        List.of(
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)) {
      MessageId id = MessageId.next();
      for (Answer expected : List.of(Answer.DONE, Answer.REPEATED)) {
        try (Connection connection = environment().consumers().getConnection()) {
          connection.setTransactionIsolation(isolation);
          connection.setAutoCommit(false);
          assertThat(inbox().once(connection, MAILER, id, transaction -> {})).isEqualTo(expected);
          connection.commit();
          connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
      }
    }
  }

  @Test
  void ids_of_every_kind_of_uuid_are_received_once() throws Exception {
    for (UUID value :
        List.of(
            new UUID(0, 0),
            new UUID(-1, -1),
            UUID.randomUUID(),
            UUID.nameUUIDFromBytes(new byte[] {1}))) {
      MessageId id = new MessageId(value);
      assertThat(commit(id)).as("%s", value).isEqualTo(Answer.DONE);
      assertThat(commit(id)).as("%s", value).isEqualTo(Answer.REPEATED);
    }
  }

  @Test
  void what_is_no_open_transaction_is_refused() throws Exception {
    MessageId id = MessageId.next();
    Connection autoCommit = begin();
    autoCommit.setAutoCommit(true);
    refused(autoCommit, id, "transaction is an autocommit connection");
    autoCommit.setAutoCommit(false);
    autoCommit.close();
    refused(autoCommit, id, "transaction is a closed connection");
    try (Connection other = InMemoryStore.create().begin()) {
      refused(other, id, "the connection is of ");
    }
    assertThat(worked).hasValue(0);
    assertThat(commit(id)).isEqualTo(Answer.DONE);
  }

  private void refused(Connection connection, MessageId id, String text) {
    assertThatThrownBy(
            () -> inbox().once(connection, MAILER, id, transaction -> worked.incrementAndGet()))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(text);
    assertThatThrownBy(() -> inbox().receive(connection, MAILER, List.of(id)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(text);
  }

  @Test
  void a_name_that_no_column_holds_is_refused_and_the_transaction_goes_on() throws Exception {
    MessageId id = MessageId.next();
    Connection connection = begin();
    inbox().once(connection, MAILER, id, transaction -> {});
    for (String name : List.of("", "m".repeat(256), "a\0b", "a\ud800b")) {
      assertThatThrownBy(() -> inbox().once(connection, name, id, transaction -> {}))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("consumer ");
    }
    connection.commit();
    assertThat(commit(id)).isEqualTo(Answer.REPEATED);
  }
}
