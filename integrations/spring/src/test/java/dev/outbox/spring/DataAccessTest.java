package dev.outbox.spring;

import static dev.outbox.spring.Shop.message;
import static dev.outbox.spring.Shop.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.outbox.Outbox;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Session;
import org.hibernate.SessionEventListener;
import org.hibernate.SessionFactory;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.transaction.SpringManagedTransactionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.hibernate5.HibernateTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** By JPA, jOOQ and MyBatis, on PostgreSQL and a pool without autocommit. */
class DataAccessTest {
  private static final String IS_OVER = "the transaction has ended already";
  private static final Logger OF_HIBERNATE = Logger.getLogger("org.hibernate");

  private static final class TurnedBackException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  interface Orders {
    @Insert("insert into orders (id) values (#{id})")
    void insert(int id);
  }

  private static Sandbox sandbox;
  private Shop shop;

  @BeforeAll
  static void start() {
    OF_HIBERNATE.setLevel(Level.SEVERE);
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
    sandbox = Database.POSTGRES.sandbox();
  }

  @AfterAll
  static void end() {
    sandbox.close();
  }

  @BeforeEach
  void open() {
    shop = new Shop(sandbox, false);
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void an_entity_and_its_message_are_committed_together_or_not_at_all() {
    try (EntityManagerFactory factory = entities(shop.pool)) {
      JpaTransactionManager manager = new JpaTransactionManager(factory);
      EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);

      both_or_neither(manager, id -> entities.persist(new PlacedOrder(id)));
    }
  }

  private static EntityManagerFactory entities(DataSource dataSource) {
    LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
    bean.setDataSource(dataSource);
    bean.setPackagesToScan("dev.outbox.spring");
    bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    Properties settings = new Properties();
    settings.setProperty("hibernate.connection.provider_disables_autocommit", "true");
    bean.setJpaProperties(settings);
    bean.afterPropertiesSet();
    return bean.getObject();
  }

  /** Hibernate writes what changed when Spring commits. */
  @Test
  void a_message_of_a_listener_in_the_flush_of_the_commit_is_committed_with_it_or_not_at_all() {
    try (EntityManagerFactory factory = entities(shop.pool)) {
      committed_with_its_flush_or_not_at_all(
          new JpaTransactionManager(factory),
          factory,
          turnedBack ->
              assertThatExceptionOfType(TransactionSystemException.class)
                  .isThrownBy(turnedBack)
                  .withRootCauseInstanceOf(TurnedBackException.class));
    }
  }

  @Test
  void so_is_one_of_a_transaction_of_Hibernate_itself() {
    try (SessionFactory factory = sessions(shop.pool)) {
      committed_with_its_flush_or_not_at_all(
          new HibernateTransactionManager(factory),
          factory,
          turnedBack ->
              assertThatExceptionOfType(TurnedBackException.class).isThrownBy(turnedBack));
    }
  }

  /** As that of a {@code LocalSessionFactoryBean}. */
  private static SessionFactory sessions(DataSource dataSource) {
    org.hibernate.cfg.Configuration settings =
        new org.hibernate.cfg.Configuration()
            .addAnnotatedClass(PlacedOrder.class)
            .setProperty("hibernate.connection.provider_disables_autocommit", "true");
    settings.getProperties().put("hibernate.connection.datasource", dataSource);
    return settings.buildSessionFactory();
  }

  private void committed_with_its_flush_or_not_at_all(
      AbstractPlatformTransactionManager manager,
      EntityManagerFactory factory,
      Consumer<ThrowingCallable> isTurnedBack) {
    Outbox.Joined outbox = shop.join(manager);
    EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
    template(manager).executeWithoutResult(status -> entities.persist(new PlacedOrder(1)));

    pay(manager, entities, () -> outbox.enqueue(message(1)));
    isTurnedBack.accept(
        () ->
            pay(
                manager,
                entities,
                () -> {
                  outbox.enqueue(message(2));
                  throw new TurnedBackException();
                }));

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.published()).containsExactly(1);
  }

  private static void pay(
      AbstractPlatformTransactionManager manager, EntityManager entities, Runnable listener) {
    template(manager)
        .executeWithoutResult(
            status -> {
              PlacedOrder order = entities.find(PlacedOrder.class, 1);
              order.listener = listener;
              order.paid = !order.paid;
            });
  }

  /** Also in what Hibernate calls before Spring does, and while JPA is busy elsewhere. */
  @Test
  void after_the_commit_of_JPA_it_is_refused() {
    DataSource elsewhere = new DriverManagerDataSource("jdbc:h2:mem:elsewhere");
    List<Throwable> refusals = new ArrayList<>();
    try (EntityManagerFactory factory = entities(shop.pool);
        EntityManagerFactory other = entities(elsewhere)) {
      JpaTransactionManager manager = new JpaTransactionManager(factory);
      Outbox.Joined outbox = shop.join(manager);
      EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
      Runnable late = () -> refusals.add(catchThrowable(() -> outbox.enqueue(message(2))));

      template(new JpaTransactionManager(other))
          .executeWithoutResult(
              busy ->
                  template(manager)
                      .executeWithoutResult(
                          status -> {
                            outbox.enqueue(message(1));
                            entities.unwrap(Session.class).addEventListeners(completed(late));
                            afterCommit(late);
                          }));

      assertThat(refusals)
          .hasSize(2)
          .allSatisfy(each -> assertThat(each).hasMessageStartingWith(IS_OVER));
      assertThat(shop.wakeUps).hasValue(1);
      assertThat(shop.published()).containsExactly(1);
    }
  }

  private static SessionEventListener completed(Runnable work) {
    return new SessionEventListener() {
      @Override
      public void transactionCompletion(boolean successful) {
        work.run();
      }
    };
  }

  private static void afterCommit(Runnable work) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            work.run();
          }
        });
  }

  private static void assertIsOver(Outbox.Joined outbox) {
    assertThatIllegalStateException()
        .isThrownBy(() -> outbox.enqueue(message(3)))
        .withMessageStartingWith(IS_OVER);
  }

  /** Spring's managers of JDBC begin on a connection of JPA, and commit it. */
  @Test
  void a_transaction_of_JDBC_on_the_connection_of_one_of_JPA_wakes_at_its_own_commit() {
    try (EntityManagerFactory factory = entities(shop.pool)) {
      JpaTransactionManager outer = new JpaTransactionManager(factory);
      JdbcTransactionManager inner = new JdbcTransactionManager(shop.pool);
      shop.join(outer);
      Outbox.Joined outbox = shop.join(inner);

      template(outer)
          .executeWithoutResult(
              status -> {
                template(inner)
                    .executeWithoutResult(
                        own -> {
                          afterCommit(() -> assertIsOver(outbox));
                          outbox.enqueue(message(1));
                        });
                assertThat(shop.wakeUps).hasValue(1);
                assertThat(shop.published()).containsExactly(1);
                outbox.enqueue(message(2));
              });

      assertThat(shop.wakeUps).hasValue(2);
      assertThat(shop.published()).containsExactly(1, 2);
    }
  }

  @Test
  void a_row_of_jOOQ_and_its_message_are_committed_together_or_not_at_all() {
    DSLContext create =
        DSL.using(new TransactionAwareDataSourceProxy(shop.pool), SQLDialect.POSTGRES);

    both_or_neither(
        new JdbcTransactionManager(shop.pool),
        id -> create.execute("insert into orders (id) values (?)", id));
  }

  @Test
  void a_row_of_MyBatis_and_its_message_are_committed_together_or_not_at_all() {
    Configuration configuration = new Configuration();
    configuration.setEnvironment(
        new Environment("shop", new SpringManagedTransactionFactory(), shop.pool));
    configuration.addMapper(Orders.class);
    SqlSessionFactory sessions = new SqlSessionFactoryBuilder().build(configuration);
    Orders orders = new SqlSessionTemplate(sessions).getMapper(Orders.class);

    both_or_neither(new JdbcTransactionManager(shop.pool), orders::insert);
  }

  private void both_or_neither(AbstractPlatformTransactionManager manager, IntConsumer insert) {
    Outbox.Joined outbox = shop.join(manager);
    assertThatIllegalStateException()
        .isThrownBy(() -> outbox.enqueue(message(1)))
        .withMessageStartingWith("no transaction is active");

    template(manager).executeWithoutResult(status -> place(2, insert, outbox));
    assertThatExceptionOfType(TurnedBackException.class)
        .isThrownBy(
            () ->
                template(manager)
                    .executeWithoutResult(
                        status -> {
                          place(3, insert, outbox);
                          throw new TurnedBackException();
                        }));

    assertThat(shop.wakeUps).hasValue(1);
    assertThat(shop.orders()).containsExactly(2);
    assertThat(shop.published()).containsExactly(2);
  }

  private static void place(int id, IntConsumer insert, Outbox.Joined outbox) {
    insert.accept(id);
    outbox.enqueue(message(id));
  }
}
