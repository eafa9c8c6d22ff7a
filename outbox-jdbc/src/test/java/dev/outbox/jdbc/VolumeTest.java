package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Much at a time ({@code -Doutbox.volume} messages), with two relays: no duplicate, keys in order,
 * and no deadlock in the server's own count, which the embedded MySQL and MariaDB write to their
 * logs with innodb_print_all_deadlocks.
 */
@LooksAtWriters
@ResourceLock(value = "the deadlock count of a server", mode = ResourceAccessMode.READ)
class VolumeTest {
  private static final int MESSAGES = Integer.getInteger("outbox.volume", 10_000);
  private static final int KEYS = 1_000;
  private static final int AT_A_TIME = 500;

  private final Map<String, AtomicInteger> lastOfKey = new ConcurrentHashMap<>();
  private final AtomicInteger outOfOrder = new AtomicInteger();
  private final CountDownLatch left = new CountDownLatch(MESSAGES);
  private final AtomicInteger published = new AtomicInteger();

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void two_relays_publish_each_of_many_once_and_in_order_without_a_deadlock(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      long deadlocksBefore = sandbox.server().deadlocks();
      DataSource pool = sandbox.pool(8);
      Schema.builder(pool).create();
      enqueueHalf(pool, 0);

      try (Relay first = relay(pool);
          Relay second = relay(pool)) {
        assertThat(first.name()).isNotEqualTo(second.name());
        enqueueHalf(pool, MESSAGES / 2);
        assertThat(left.await(4, TimeUnit.MINUTES)).as("%s left", left.getCount()).isTrue();
      }

      assertThat(published).hasValue(MESSAGES);
      assertThat(outOfOrder).hasValue(0);
      assertThat(sandbox.server().deadlocks()).isEqualTo(deadlocksBefore);
    }
  }

  private Relay relay(DataSource pool) {
    return Relay.builder(JdbcStore.create(pool), Publisher.blocking(this::receive)).start();
  }

  private void receive(Envelope envelope) {
    int number = Integer.parseInt(envelope.payload().text().strip());
    AtomicInteger last =
        lastOfKey.computeIfAbsent(envelope.key().value(), key -> new AtomicInteger(-1));
    if (last.getAndSet(number) >= number) {
      outOfOrder.incrementAndGet();
    }
    published.incrementAndGet();
    left.countDown();
  }

  private static void enqueueHalf(DataSource pool, int from) throws Exception {
    Outbox outbox = Outbox.create(JdbcStore.create(pool));
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      for (int begin = from; begin < from + MESSAGES / 2; begin += AT_A_TIME) {
        List<Message> messages = new ArrayList<>();
        for (int number = begin; number < begin + AT_A_TIME; number++) {
          messages.add(Message.to("volume").key(number % KEYS).text("%-200d".formatted(number)));
        }
        outbox.enqueue(connection, messages);
        connection.commit();
      }
    }
  }
}
