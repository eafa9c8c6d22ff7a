package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlXADataSource;
import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import javax.sql.XAConnection;
import javax.sql.XADataSource;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.xa.PGXADataSource;

/** A transaction manager runs the transaction, and drivers refuse JDBC's savepoints in it. */
class XaTransactionTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void of_a_batch_the_new_ones_are_received(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Inbox inbox = inbox(sandbox);
      List<MessageId> ids = Stream.generate(MessageId::next).limit(2).sorted().toList();
      branch(sandbox, one -> inbox.once(one, "billing", ids.get(1), transaction -> {}));
      branch(
          sandbox,
          both ->
              assertThat(inbox.receive(both, "billing", ids).fresh()).containsExactly(ids.get(0)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void the_exception_of_the_work_is_rethrown_and_its_receipt_undone(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Inbox inbox = inbox(sandbox);
      MessageId id = MessageId.next();
      IllegalStateException mine = new IllegalStateException("mine");
      branch(
          sandbox,
          failing ->
              assertThatThrownBy(
                      () ->
                          inbox.once(
                              failing,
                              "billing",
                              id,
                              transaction -> {
                                throw mine;
                              }))
                  .isSameAs(mine));
      branch(
          sandbox,
          again ->
              assertThat(inbox.once(again, "billing", id, transaction -> {}))
                  .isEqualTo(Answer.DONE));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void of_two_dedupe_keys_one_may_be_taken_also_inside_of_the_inbox(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource dataSource = sandbox.pool();
      Schema.builder(dataSource).with(Schema.Part.DEDUPE).create();
      Inbox inbox = inbox(sandbox);
      Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
      List<Message> both = List.of(keyed("a"), keyed("b"));
      branch(sandbox, one -> outbox.enqueue(one, keyed("b")));
      branch(
          sandbox,
          two ->
              inbox.once(
                  two,
                  "billing",
                  MessageId.next(),
                  transaction ->
                      assertThat(outbox.enqueue(transaction, both)).doesNotHaveDuplicates()));
      try (Connection connection = sandbox.open();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT count(*) FROM outbox")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(2);
      }
    }
  }

  private static Message keyed(String key) {
    return Message.to("orders").dedupeKey(key).text(key);
  }

  private static Inbox inbox(Sandbox sandbox) {
    DataSource dataSource = sandbox.pool();
    Schema.builder(dataSource).only(Schema.Part.RECEIPT).create();
    return Inbox.create(JdbcInbox.create(dataSource));
  }

  private interface Work {
    void on(Connection connection) throws Exception;
  }

  /** Does the work in a branch of its own, and commits it. */
  private static void branch(Sandbox sandbox, Work work) throws Exception {
    XAConnection xa = xa(sandbox).getXAConnection(sandbox.user(), sandbox.password());
    try {
      Branch branch = Branch.next();
      Connection connection = xa.getConnection();
      connection.setAutoCommit(false);
      xa.getXAResource().start(branch, XAResource.TMNOFLAGS);
      work.on(connection);
      xa.getXAResource().end(branch, XAResource.TMSUCCESS);
      xa.getXAResource().commit(branch, true);
    } finally {
      xa.close();
    }
  }

  private static XADataSource xa(Sandbox sandbox) throws Exception {
    String url = sandbox.url();
    return switch (sandbox.server().database()) {
      case POSTGRES -> {
        PGXADataSource dataSource = new PGXADataSource();
        dataSource.setUrl(url);
        yield dataSource;
      }
      case MYSQL -> {
        MysqlXADataSource dataSource = new MysqlXADataSource();
        dataSource.setUrl(url);
        yield dataSource;
      }
      case MARIADB -> new MariaDbDataSource(url);
      default -> {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setUrl(url);
        yield dataSource;
      }
    };
  }

  /** The name of a branch. */
  private record Branch(UUID id) implements Xid {
    static Branch next() {
      return new Branch(UUID.randomUUID());
    }

    @Override
    public int getFormatId() {
      return 1;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return ByteBuffer.allocate(16)
          .putLong(id.getMostSignificantBits())
          .putLong(id.getLeastSignificantBits())
          .array();
    }

    @Override
    public byte[] getBranchQualifier() {
      return new byte[] {1};
    }
  }
}
