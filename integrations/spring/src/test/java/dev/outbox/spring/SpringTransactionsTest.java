package dev.outbox.spring;

import static dev.outbox.spring.Shop.message;
import static dev.outbox.spring.Shop.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Outbox;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.Field;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** By JdbcTemplate, on a pool with autocommit and on one without. */
@ParameterizedClass
@CsvSource({"POSTGRES,true", "POSTGRES,false", "H2,true", "H2,false"})
class SpringTransactionsTest {
  private static final class TurnedBackException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @Parameter(0)
  Database database;

  @Parameter(1)
  boolean autoCommit;

  private Sandbox sandbox;
  private Shop shop;
  private JdbcTransactionManager manager;
  private Outbox.Joined outbox;

  @BeforeEach
  void open() {
    sandbox = database.sandbox();
    shop = new Shop(sandbox, autoCommit);
    manager = new JdbcTransactionManager(shop.pool);
    outbox = shop.join(manager);
  }

  @AfterEach
  void close() {
    shop.close();
    sandbox.close();
  }

  @Test
  void the_message_is_committed_with_the_row_and_the_relay_is_woken_after_it() {
    template(manager)
        .executeWithoutResult(
            status -> {
              place(1);
              assertThat(shop.wakeUps).hasValue(0);
            });

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.published()).containsExactly(1);
    assertThat(shop.orders()).containsExactly(1);
  }

  @Test
  void the_lines_of_docs_transactions_do_so_too() {
    SpringTransactions transactions = SpringTransactions.of(shop.pool);
    manager.addListener(transactions);
    Outbox.Joined joined = shop.outbox.join(transactions);

    template(manager).executeWithoutResult(status -> joined.enqueue(message(1)));

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.published()).containsExactly(1);
  }

  @Test
  void a_rollback_leaves_nothing_and_wakes_nobody() {
    assertThatExceptionOfType(TurnedBackException.class)
        .isThrownBy(() -> template(manager).executeWithoutResult(this::placeAndTurnBack));
    template(manager)
        .executeWithoutResult(
            status -> {
              place(2);
              status.setRollbackOnly();
            });

    assertThat(shop.wakeUps).hasValue(0);
    assertThat(shop.published()).isEmpty();
    assertThat(shop.orders()).isEmpty();
  }

  @Test
  void a_new_transaction_within_another_commits_alone_and_wakes_at_once() {
    TransactionTemplate apart = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    assertThatExceptionOfType(TurnedBackException.class)
        .isThrownBy(
            () ->
                template(manager)
                    .executeWithoutResult(
                        status -> {
                          place(1);
                          apart.executeWithoutResult(inner -> place(2));
                          assertThat(shop.wakeUps).hasValue(1);
                          placeAndTurnBack(3);
                        }));

    assertThat(shop.published()).containsExactly(2);
    assertThat(shop.orders()).containsExactly(2);
  }

  @Test
  void a_new_transaction_within_another_rolls_back_alone() {
    TransactionTemplate apart = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    template(manager)
        .executeWithoutResult(
            status -> {
              place(1);
              assertThatExceptionOfType(TurnedBackException.class)
                  .isThrownBy(() -> apart.executeWithoutResult(inner -> placeAndTurnBack(2)));
              place(3);
            });

    assertThat(shop.published()).containsExactly(1, 3);
    assertThat(shop.orders()).containsExactly(1, 3);
  }

  @Test
  void what_a_nested_transaction_wrote_goes_with_its_rollback() {
    TransactionTemplate nested = template(manager, TransactionDefinition.PROPAGATION_NESTED);
    template(manager)
        .executeWithoutResult(
            status -> {
              place(1);
              assertThatExceptionOfType(TurnedBackException.class)
                  .isThrownBy(() -> nested.executeWithoutResult(inner -> placeAndTurnBack(2)));
              nested.executeWithoutResult(inner -> place(3));
              assertThat(shop.wakeUps).hasValue(0);
            });

    assertThat(shop.published()).containsExactly(1, 3);
    assertThat(shop.orders()).containsExactly(1, 3);
  }

  @Test
  void without_a_transaction_it_is_refused_with_the_remedy_and_nothing_is_written() {
    assertThatIllegalStateException()
        .isThrownBy(() -> outbox.enqueue(message(1)))
        .withMessageStartingWith("no transaction is active; enqueue in a @Transactional method");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                template(manager, TransactionDefinition.PROPAGATION_SUPPORTS)
                    .executeWithoutResult(status -> outbox.enqueue(message(1))))
        .withMessageStartingWith("no transaction is active");
    template(manager).executeWithoutResult(status -> {});

    assertThat(shop.published()).isEmpty();
  }

  @Test
  void a_read_only_transaction_is_refused_with_the_remedy() {
    TransactionTemplate reading = template(manager);
    reading.setReadOnly(true);

    assertThatIllegalStateException()
        .isThrownBy(() -> reading.executeWithoutResult(status -> outbox.enqueue(message(1))))
        .withMessageStartingWith("the transaction is read-only; enqueue in one")
        .withMessageEndingWith("@Transactional(readOnly = false)");

    assertThat(shop.published()).isEmpty();
  }

  @Test
  void a_transaction_of_another_data_source_is_refused_with_the_remedy() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                template(new DataSourceTransactionManager(elsewhere()))
                    .executeWithoutResult(status -> outbox.enqueue(message(1))))
        .withMessageStartingWith("the active transaction is not on the data source of the outbox");

    assertThat(shop.published()).isEmpty();
  }

  /** What Spring only read of binds its connection, too. */
  @Test
  void a_transaction_of_another_data_source_is_refused_after_a_query_of_this_one() {
    DataSourceTransactionManager other = new DataSourceTransactionManager(elsewhere());
    other.addListener(SpringTransactions.of(shop.pool));
    Outbox.Joined joined = shop.join(other);

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                template(other)
                    .executeWithoutResult(
                        status -> {
                          new JdbcTemplate(shop.pool).queryForList("select id from orders");
                          joined.enqueue(message(1));
                        }))
        .withMessageStartingWith("the active transaction is not on the data source of the outbox");

    assertThat(shop.published()).isEmpty();
  }

  @Test
  void a_transaction_without_JDBC_is_refused_after_a_query_too() {
    NoDatabase other = new NoDatabase();
    Outbox.Joined joined = shop.join(other);

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                template(other)
                    .executeWithoutResult(
                        status -> {
                          new JdbcTemplate(shop.pool).queryForList("select id from orders");
                          joined.enqueue(message(1));
                        }))
        .withMessageStartingWith("the active transaction is not on the data source of the outbox");

    assertThat(shop.published()).isEmpty();
  }

  /** Of no data source, with synchronization, as a manager of JTA. */
  private static final class NoDatabase extends AbstractPlatformTransactionManager {
    private static final long serialVersionUID = 1;

    @Override
    protected Object doGetTransaction() {
      return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {}

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  @Test
  void after_the_commit_it_is_refused_in_a_transaction_of_another_data_source_too() {
    DataSourceTransactionManager other = new DataSourceTransactionManager(elsewhere());
    Outbox.Joined joined = shop.join(other);

    afterwards(
        synchronization ->
            assertThatIllegalStateException()
                .isThrownBy(
                    () ->
                        template(other).executeWithoutResult(status -> joined.enqueue(message(2))))
                .withMessageStartingWith("the transaction has ended already"));

    assertThat(shop.published()).containsExactly(1);
  }

  @Test
  void after_the_commit_on_another_data_source_a_transaction_of_this_one_is_joined() {
    DataSourceTransactionManager other = new DataSourceTransactionManager(elsewhere());
    shop.join(other);

    template(other)
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void afterCommit() {
                        template(manager).executeWithoutResult(inner -> place(1));
                      }
                    }));

    assertThat(shop.published()).containsExactly(1);
  }

  @Test
  void in_a_transaction_of_another_data_source_the_one_of_this_is_joined_and_wakes_at_its_commit() {
    DataSourceTransactionManager other = new DataSourceTransactionManager(elsewhere());
    template(manager)
        .executeWithoutResult(
            status -> {
              template(other).executeWithoutResult(inner -> place(1));
              template(other)
                  .executeWithoutResult(
                      inner -> {
                        place(2);
                        inner.setRollbackOnly();
                      });
              assertThat(shop.wakeUps).hasValue(0);
            });

    assertThat(shop.wakeUps).hasValue(2);
    assertThat(shop.published()).containsExactly(1, 2);
  }

  @Test
  void within_a_transaction_of_another_data_source_it_wakes_at_its_own_commit() {
    DataSourceTransactionManager other = new DataSourceTransactionManager(elsewhere());
    shop.join(other);
    template(other)
        .executeWithoutResult(
            status -> {
              template(manager).executeWithoutResult(inner -> place(1));
              assertThat(shop.wakeUps).hasValue(1);
              assertThat(shop.published()).containsExactly(1);
              template(manager)
                  .executeWithoutResult(
                      inner -> {
                        place(2);
                        inner.setRollbackOnly();
                      });
              status.setRollbackOnly();
            });

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.published()).containsExactly(1);
  }

  private static DataSource elsewhere() {
    JdbcDataSource other = new JdbcDataSource();
    other.setURL("jdbc:h2:mem:other");
    return other;
  }

  @Test
  void after_the_commit_it_is_refused_and_what_was_enqueued_before_stays() {
    afterwards(
        synchronization -> {
          assertThatIllegalStateException()
              .isThrownBy(() -> outbox.enqueue(message(2)))
              .withMessageStartingWith("the transaction has ended already; enqueue before it");
        });

    assertThat(shop.published()).containsExactly(1);
  }

  @Test
  void after_the_commit_a_new_transaction_is_joined() {
    TransactionTemplate apart = template(manager, TransactionDefinition.PROPAGATION_REQUIRES_NEW);

    afterwards(synchronization -> apart.executeWithoutResult(status -> place(2)));
    template(manager).executeWithoutResult(status -> place(4));

    assertThat(shop.published()).containsExactly(1, 2, 4);
  }

  @Test
  void before_the_commit_it_is_part_of_the_transaction() {
    template(manager)
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void beforeCommit(boolean readOnly) {
                        place(1);
                      }
                    }));

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.published()).containsExactly(1);
  }

  /** Threads of a pool outlive an application that is redeployed. */
  @Test
  void a_thread_keeps_nothing_of_a_transaction_however_it_ends() throws Exception {
    template(manager).executeWithoutResult(status -> place(1));
    assertNothingIsKept();
    assertThatExceptionOfType(TurnedBackException.class)
        .isThrownBy(() -> template(manager).executeWithoutResult(this::placeAndTurnBack));
    assertNothingIsKept();
    assertThatExceptionOfType(TransactionTimedOutException.class)
        .isThrownBy(() -> template(manager).executeWithoutResult(status -> failBeforeTheCommit()));
    assertNothingIsKept();
    assertThatIllegalStateException().isThrownBy(() -> outbox.enqueue(message(1)));
    assertNothingIsKept();
  }

  /** Spring tells no listener of this end. */
  private void failBeforeTheCommit() {
    place(2);
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void beforeCommit(boolean readOnly) {
            throw new TransactionTimedOutException("too late");
          }
        });
  }

  private static void assertNothingIsKept() throws ReflectiveOperationException {
    Field begun = SpringTransactions.class.getDeclaredField("BEGUN");
    begun.setAccessible(true);
    assertThat(((ThreadLocal<?>) begun.get(null)).get()).isNull();
  }

  @Test
  void a_lazy_and_a_transaction_aware_proxy_are_joined_too() {
    LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(shop.pool);
    Outbox.Joined behindLazy = shop.outbox.join(SpringTransactions.of(lazy));
    DataSource aware = new TransactionAwareDataSourceProxy(shop.pool);
    Outbox.Joined behindAware = shop.outbox.join(SpringTransactions.of(aware));

    template(new JdbcTransactionManager(lazy))
        .executeWithoutResult(status -> behindLazy.enqueue(message(1)));
    template(manager).executeWithoutResult(status -> behindAware.enqueue(message(2)));

    assertThat(shop.published()).containsExactly(1, 2);
  }

  private void afterwards(Consumer<TransactionSynchronization> work) {
    template(manager)
        .executeWithoutResult(
            status -> {
              place(1);
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                      work.accept(this);
                    }
                  });
            });
  }

  private void placeAndTurnBack(Object ignored) {
    placeAndTurnBack(9);
  }

  private void placeAndTurnBack(int id) {
    place(id);
    throw new TurnedBackException();
  }

  private void place(int id) {
    new JdbcTemplate(shop.pool).update("insert into orders (id) values (?)", id);
    outbox.enqueue(message(id));
  }
}
