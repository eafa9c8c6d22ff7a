package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A dedupe key is taken again while a purge reads: a cursor that skips locked rows, as on Oracle,
 * may still show it as expired.
 */
class RetakenKeyTest {
  @Test
  void a_key_that_was_taken_again_while_the_purge_read_is_kept() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource pool = sandbox.pool();
      Schema.builder(pool).with(Schema.Part.DEDUPE).create();
      AtomicInteger shown = new AtomicInteger();
      DataSource stale =
          new TamperedDataSource(
              pool,
              (connection, method, arguments) ->
                  TamperedDataSource.passed(
                      connection, method, showingAll(method, arguments, shown)));
      Outbox outbox = Outbox.create(JdbcStore.create(stale));
      Message message = Message.to("t").dedupeKey("k").text("x");
      List<MessageId> ids = new ArrayList<>();
      Transactions.run(pool, outbox, connection -> ids.add(outbox.enqueue(connection, message)));

      assertThat(outbox.purgeDedupeKeys()).isZero();

      assertThat(shown).hasPositiveValue();
      Transactions.run(pool, outbox, connection -> ids.add(outbox.enqueue(connection, message)));
      assertThat(ids.get(1)).isEqualTo(ids.get(0));
    }
  }

  private static Object[] showingAll(Method method, Object[] arguments, AtomicInteger shown) {
    if (method.getName().equals("prepareStatement")
        && arguments[0] instanceof String sql
        && sql.startsWith("SELECT topic, dedupe_key")) {
      shown.incrementAndGet();
      arguments[0] = sql.replaceFirst("WHERE expires_at <= .*", "");
    }
    return arguments;
  }
}
