package dev.outbox.jdbc.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Topics;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that has no message may be misspelt. */
@ResourceLock(Resources.SYSTEM_ERR)
class TopicSpellingTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 9_999, 10_000})
  void it_is_doubted_unless_there_are_more_messages_than_are_looked_at(int others)
      throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      JdbcStore store = Making.store(sandbox);
      Outbox outbox = Outbox.create(store);
      List<Message> messages = Collections.nCopies(others, Message.to("mails").text("x"));
      Transactions.run(
          sandbox.pool(),
          outbox,
          connection -> {
            outbox.enqueue(connection, messages);
            outbox.enqueue(connection, Message.to("orders").text("behind them"));
          });

      Predicate<String> warns = log -> log.contains("topic=orders has no waiting message");
      assertThat(Making.log(() -> Topics.create(store).pause("orders"))).matches(warns.negate());
      assertThat(Making.log(() -> Topics.create(store).pause("ordes")).contains("topic=ordes"))
          .isEqualTo(others == 1);
      assertThat(Topics.create(store).spellingDoubt("order").isPresent()).isEqualTo(others == 1);
    }
  }
}
