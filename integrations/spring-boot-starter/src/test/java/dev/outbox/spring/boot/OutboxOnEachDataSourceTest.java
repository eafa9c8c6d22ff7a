package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Outbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.spring.SpringTransactions;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Beans that the application declares itself, for each of its databases. */
class OutboxOnEachDataSourceTest {
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withUserConfiguration(Application.class)
          .withPropertyValues("outbox.relay.enabled=false");

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  @Test
  void an_application_may_have_an_outbox_on_each_of_its_data_sources() {
    application
        .withUserConfiguration(TwoOutboxes.class)
        .run(
            context -> {
              for (String name : List.of("orders", "reports")) {
                DataSource dataSource = context.getBean(name + "Source", DataSource.class);
                Outbox.Joined outbox = context.getBean(name, Outbox.Joined.class);
                new TransactionTemplate(
                        context.getBean(name + "Manager", JdbcTransactionManager.class))
                    .executeWithoutResult(
                        status -> {
                          outbox.enqueue(Message.to(name).text("1"));
                          AfterCommit.run(
                              () ->
                                  assertThatIllegalStateException()
                                      .isThrownBy(
                                          () -> outbox.enqueue(Message.to(name).text("2"))));
                        });
                assertThat(
                        new JdbcTemplate(dataSource)
                            .queryForList("select topic from outbox", String.class))
                    .containsExactly(name);
              }
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoOutboxes {
    @Bean
    DataSource ordersSource() {
      return memory();
    }

    @Bean
    DataSource reportsSource() {
      return memory();
    }

    @Bean
    JdbcTransactionManager ordersManager(@Qualifier("ordersSource") DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    JdbcTransactionManager reportsManager(@Qualifier("reportsSource") DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    SpringTransactions ordersTransactions(@Qualifier("ordersSource") DataSource dataSource) {
      return SpringTransactions.of(dataSource);
    }

    @Bean
    SpringTransactions reportsTransactions(@Qualifier("reportsSource") DataSource dataSource) {
      return SpringTransactions.of(dataSource);
    }

    @Bean
    Outbox.Joined orders(
        @Qualifier("ordersSource") DataSource dataSource,
        @Qualifier("ordersTransactions") SpringTransactions transactions) {
      Schema.builder(dataSource).create();
      return Outbox.create(JdbcStore.create(dataSource)).join(transactions);
    }

    @Bean
    Outbox.Joined reports(
        @Qualifier("reportsSource") DataSource dataSource,
        @Qualifier("reportsTransactions") SpringTransactions transactions) {
      Schema.builder(dataSource).create();
      return Outbox.create(JdbcStore.create(dataSource)).join(transactions);
    }
  }

  private static DataSource memory() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return dataSource;
  }
}
