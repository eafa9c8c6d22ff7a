package dev.outbox.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Orders and messages on one database, by one pool, and what became of them. */
final class Shop implements AutoCloseable {
  final AtomicInteger wakeUps = new AtomicInteger();
  final HikariDataSource pool;
  final Outbox outbox;
  private final DataSource beside;
  private final JdbcStore store;
  private final InMemoryBroker broker = InMemoryBroker.create();

  Shop(Sandbox sandbox, boolean autoCommit) {
    beside = sandbox.dataSource();
    Schema.builder(beside).create();
    new JdbcTemplate(beside)
        .execute(
            "create table if not exists orders (id integer primary key, paid boolean default false)");
    HikariConfig config = new HikariConfig();
    config.setDataSource(beside);
    config.setAutoCommit(autoCommit);
    config.setMaximumPoolSize(2);
    config.setMinimumIdle(0);
    pool = new HikariDataSource(config);
    store = JdbcStore.create(beside);
    store.wakeup().subscribe(listener());
    outbox = Outbox.create(store);
  }

  private Wakeup.Listener listener() {
    return new Wakeup.Listener() {
      @Override
      public void woken(Set<Lane> lanes) {
        wakeUps.incrementAndGet();
      }

      @Override
      public void hinted(Set<Lane> lanes) {}
    };
  }

  /** The outbox in the transactions of {@code manager}, which it is a listener of. */
  Outbox.Joined join(AbstractPlatformTransactionManager manager) {
    SpringTransactions transactions = SpringTransactions.of(pool);
    manager.addListener(transactions);
    return outbox.join(transactions);
  }

  static TransactionTemplate template(AbstractPlatformTransactionManager manager, int propagation) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehavior(propagation);
    return template;
  }

  static TransactionTemplate template(AbstractPlatformTransactionManager manager) {
    return template(manager, TransactionDefinition.PROPAGATION_REQUIRED);
  }

  static Message message(int id) {
    return Message.to("orders.placed").text(Integer.toString(id));
  }

  List<Integer> orders() {
    return new JdbcTemplate(beside)
        .queryForList("select id from orders order by id", Integer.class);
  }

  List<Integer> published() {
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker.messages().stream()
        .map(each -> Integer.valueOf(each.envelope().payload().text()))
        .sorted()
        .toList();
  }

  @Override
  public void close() {
    pool.close();
    JdbcTemplate all = new JdbcTemplate(beside);
    all.execute("delete from orders");
  }
}
