package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.spring.SpringTransactions;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Transaction managers that the application makes, whenever it makes them. */
@Tag("boot-4")
@ExtendWith(OutputCaptureExtension.class)
class TransactionManagersTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues(
              "spring.datasource.generate-unique-name=true",
              "outbox.relay.enabled=false",
              "outbox.broker=none");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @ParameterizedTest
  @ValueSource(
      classes = {
        IsDown.class,
        LazyTransactions.class,
        OfTenant.class,
        BehindInterfaces.class,
        BehindClass.class
      })
  void what_is_lazy_or_of_a_scope_is_not_made_by_us(Class<?> second, CapturedOutput output) {
    application
        .withUserConfiguration(First.class, second)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertRefusedAfterTheCommit(context, "first");
            });
    assertThat(output).doesNotContain("not eligible for getting processed");
  }

  @Configuration(proxyBeanMethods = false)
  static class First {
    @Bean
    JdbcTransactionManager first(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class IsDown {
    @Lazy
    @Bean
    PlatformTransactionManager second() {
      throw new IllegalStateException("the second database is down");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class LazyTransactions {
    @Lazy
    @Bean(defaultCandidate = false)
    SpringTransactions second() {
      throw new IllegalStateException("the second database is down");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OfTenant {
    @Bean
    @Scope("tenant")
    PlatformTransactionManager second() {
      throw new IllegalStateException("there is no such scope at the start");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class BehindInterfaces {
    @Bean
    @Scope(value = "tenant", proxyMode = ScopedProxyMode.INTERFACES)
    JdbcTransactionManager second() {
      throw new IllegalStateException("there is no such scope at the start");
    }

    @Bean
    TransactionTemplate user(@Qualifier("second") PlatformTransactionManager second) {
      return new TransactionTemplate(second);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class BehindClass {
    @Bean
    @Scope(value = "tenant", proxyMode = ScopedProxyMode.TARGET_CLASS)
    JdbcTransactionManager second() {
      throw new IllegalStateException("there is no such scope at the start");
    }

    @Bean
    TransactionTemplate user(@Qualifier("second") PlatformTransactionManager second) {
      return new TransactionTemplate(second);
    }
  }

  @Test
  void a_manager_that_is_made_later_has_its_listener_before_its_first_transaction() {
    application
        .withUserConfiguration(Later.class)
        .withInitializer(
            context -> context.getBeanFactory().registerScope("tenant", new SimpleThreadScope()))
        .run(
            context -> {
              assertRefusedAfterTheCommit(context, "lazy");
              assertRefusedAfterTheCommit(context, "ofTenant");
              assertRefusedAfterTheCommit(context, "behindInterfaces");
              assertRefusedAfterTheCommit(context, "prototype");
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class Later {
    @Lazy
    @Bean
    PlatformTransactionManager lazy(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    @Scope("tenant")
    PlatformTransactionManager ofTenant(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    @Scope(value = "tenant", proxyMode = ScopedProxyMode.INTERFACES)
    JdbcTransactionManager behindInterfaces(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    @Scope("prototype")
    PlatformTransactionManager prototype(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @Test
  void a_manager_with_listeners_that_cannot_be_changed_has_ours_too() {
    application
        .withUserConfiguration(OwnListeners.class)
        .run(context -> assertRefusedAfterTheCommit(context, "mine"));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnListeners {
    @Bean
    JdbcTransactionManager mine(DataSource dataSource) {
      JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
      manager.setTransactionExecutionListeners(List.of(new TransactionExecutionListener() {}));
      return manager;
    }
  }

  @Test
  void a_manager_that_is_registered_while_others_are_made_has_it_from_the_start_on() {
    application
        .withUserConfiguration(Registered.class)
        .run(context -> assertRefusedAfterTheCommit(context, "registered"));
  }

  @Configuration(proxyBeanMethods = false)
  static class Registered {
    @Bean
    String registering(ConfigurableApplicationContext context, DataSource dataSource) {
      context
          .getBeanFactory()
          .registerSingleton("registered", new JdbcTransactionManager(dataSource));
      return "done";
    }
  }

  @Test
  void the_managers_of_a_parent_context_have_it_too() {
    new ApplicationContextRunner()
        .withUserConfiguration(OfParent.class)
        .run(
            parent ->
                application
                    .withParent(parent)
                    .run(
                        context -> {
                          assertRefusedAfterTheCommit(context, "made");
                          assertRefusedAfterTheCommit(context, "lazy");
                        }));
  }

  @Configuration(proxyBeanMethods = false)
  static class OfParent {
    @Bean
    DataSource dataSource() {
      return memory();
    }

    @Bean
    PlatformTransactionManager made(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Lazy
    @Bean
    PlatformTransactionManager lazy(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @Test
  void contexts_below_share_the_listener_of_the_outbox_above() {
    application
        .withUserConfiguration(First.class)
        .run(
            parent -> {
              int alone = listeners(parent);
              new ApplicationContextRunner()
                  .withUserConfiguration(Application.class, OfChild.class)
                  .withPropertyValues("outbox.relay.enabled=false", "outbox.broker=none")
                  .withParent(parent)
                  .run(
                      context -> {
                        assertRefusedAfterTheCommit(context, "ofChild");
                        assertThat(listeners(context)).isEqualTo(alone);
                      });
            });
  }

  private static int listeners(ApplicationContext context) {
    return context
        .getBean("first", JdbcTransactionManager.class)
        .getTransactionExecutionListeners()
        .size();
  }

  @Configuration(proxyBeanMethods = false)
  static class OfChild {
    @Bean
    PlatformTransactionManager ofChild(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  private static void assertRefusedAfterTheCommit(ApplicationContext context, String manager) {
    new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class))
        .executeWithoutResult(
            status -> {
              context.getBean(Outbox.Joined.class).enqueue(Message.to("orders").text("1"));
              AfterCommit.run(
                  () ->
                      assertThatIllegalStateException()
                          .isThrownBy(
                              () ->
                                  context
                                      .getBean(Outbox.Joined.class)
                                      .enqueue(Message.to("orders").text("2")))
                          .withMessageStartingWith("the transaction has ended"));
            });
  }

  /** What Spring only read of binds its connection, and a pool may roll back what is written. */
  @Test
  void an_outbox_that_is_made_in_a_transaction_of_another_manager_refuses_it() {
    application
        .withUserConfiguration(WithoutDatabase.class)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(
            context -> {
              assertThat(context.getBeanFactory().containsSingleton("other")).isFalse();
              new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                  .executeWithoutResult(
                      status -> {
                        context.getBean(JdbcTemplate.class).queryForList("select 1");
                        assertThatIllegalStateException()
                            .isThrownBy(
                                () ->
                                    context
                                        .getBean(Outbox.Joined.class)
                                        .enqueue(Message.to("orders").text("1")))
                            .withMessageStartingWith("the active transaction is not on");
                      });
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class WithoutDatabase {
    @Bean
    PlatformTransactionManager other() {
      return new NoDatabase();
    }
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

  private static DataSource memory() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return dataSource;
  }
}
