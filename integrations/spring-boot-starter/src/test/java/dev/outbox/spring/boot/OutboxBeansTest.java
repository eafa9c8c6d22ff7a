package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.message.Payload;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.SpringTransactions;
import dev.outbox.testkit.InMemoryStore;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The beans of a writer, on H2 in memory. */
class OutboxBeansTest {
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

  record Order(String orderNumber) {}

  @Test
  void beside_a_data_source_there_is_an_outbox_that_joins_the_transactions_of_Spring() {
    application.run(
        context -> {
          assertThat(context)
              .hasSingleBean(JdbcStore.class)
              .hasSingleBean(Outbox.class)
              .hasSingleBean(Outbox.Joined.class)
              .doesNotHaveBean(RelayLifecycle.class);
          enqueue(context, Message.to("orders.placed").text("1"));
          assertThat(rows(context)).isEqualTo(1);
        });
  }

  @Test
  void what_is_enqueued_after_the_commit_is_refused_without_a_line_of_the_application() {
    application.run(OutboxBeansTest::isRefusedAfterTheCommit);
  }

  /** Spring Boot hands listeners to the transaction managers that it makes itself. */
  @Tag("boot-4")
  @Test
  void so_it_is_with_a_transaction_manager_of_the_application() {
    application
        .withUserConfiguration(OwnManager.class)
        .run(OutboxBeansTest::isRefusedAfterTheCommit);
    application
        .withUserConfiguration(OwnManager.class)
        .withInitializer(
            context ->
                context.addBeanFactoryPostProcessor(
                    new LazyInitializationBeanFactoryPostProcessor()))
        .run(OutboxBeansTest::isRefusedAfterTheCommit);
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnManager {
    @Bean
    PlatformTransactionManager mine(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  private static void isRefusedAfterTheCommit(ApplicationContext context) {
    transactions(context)
        .executeWithoutResult(
            status ->
                AfterCommit.run(
                    () ->
                        assertThatIllegalStateException()
                            .isThrownBy(
                                () ->
                                    context
                                        .getBean(Outbox.Joined.class)
                                        .enqueue(Message.to("orders").text("1")))
                            .withMessageStartingWith("the transaction has ended")));
  }

  @Test
  void it_can_be_switched_off() {
    application
        .withPropertyValues("outbox.enabled=false")
        .run(
            context ->
                assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(OutboxStore.class)
                    .doesNotHaveBean(Outbox.class));
    application
        .withPropertyValues(
            "outbox.enabled=false", "outbox.relay.enabled=true", "outbox.console.enabled=true")
        .withBean(InMemoryStore.class, InMemoryStore::create)
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RelayLifecycle.class));
  }

  /** On Spring Boot 4 also with spring-boot-jackson2 in place of Jackson 3. */
  @Tag("boot-4")
  @Tag("jackson-2")
  @Test
  void payload_objects_are_written_by_the_mapper_of_the_application() {
    application
        .withPropertyValues(
            "spring.jackson.property-naming-strategy=SNAKE_CASE",
            "spring.jackson2.property-naming-strategy=SNAKE_CASE")
        .run(
            context -> {
              Payload payload = context.getBean(PayloadCodec.class).encode(new Order("7"));
              assertThat(payload.text()).isEqualTo("{\"order_number\":\"7\"}");
            });
  }

  /** Spring Boot 4 makes one for Jackson 2, where that is; Spring Boot 3 has no other. */
  @Tag("boot-4")
  @Test
  void endpoints_have_no_second_mapper_because_of_ours_unless_the_application_asks_for_it() {
    String second = "jackson2EndpointJsonMapper";
    application.run(context -> assertThat(context).doesNotHaveBean(second));
    application
        .withPropertyValues("management.endpoints.jackson2.isolated-object-mapper=true")
        .run(context -> assertThat(context.containsBean(second)).isEqualTo(isBoot4()));
  }

  private static boolean isBoot4() {
    return SpringBootVersion.getVersion().startsWith("4");
  }

  @Test
  void a_bean_of_the_application_takes_the_place_of_ours() {
    application
        .withBean(InMemoryStore.class, InMemoryStore::create)
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(OutboxStore.class)
                    .hasSingleBean(Outbox.class)
                    .doesNotHaveBean(JdbcStore.class)
                    .doesNotHaveBean(SpringTransactions.class)
                    .doesNotHaveBean(Outbox.Joined.class));
  }

  @Test
  void a_store_of_the_application_has_an_outbox_that_joins_the_transactions_too() {
    application
        .withUserConfiguration(OwnStore.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(JdbcStore.class);
              enqueue(context, Message.to("orders.placed").text("1"));
              assertThat(rows(context)).isEqualTo(1);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnStore {
    @Bean
    JdbcStore mine(DataSource dataSource) {
      Schema.builder(dataSource).create();
      return JdbcStore.create(dataSource);
    }
  }

  @Tag("boot-4")
  @Test
  void a_store_of_the_application_waits_for_those_who_make_the_tables_too() {
    application
        .withPropertyValues(
            "spring.sql.init.schema-locations=classpath:dev/outbox/jdbc/ddl/h2/outbox.sql")
        .withUserConfiguration(StoreOfMigrations.class)
        .run(context -> assertThat(context).hasSingleBean(JdbcStore.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class StoreOfMigrations {
    @Bean
    JdbcStore mine(DataSource dataSource) {
      return JdbcStore.create(dataSource);
    }
  }

  @Test
  void properties_arrive_and_a_customizer_has_the_last_word() {
    application
        .withPropertyValues(
            "outbox.schema.table-prefix=mine",
            "outbox.schema.claiming=rows",
            "outbox.schema.archive=true",
            "outbox.message.max-payload=3KB")
        .run(
            context -> {
              assertThat(context.getBean(JdbcStore.class).layout().claiming())
                  .isEqualTo(Claiming.ROWS);
              assertThat(context.getBean(JdbcStore.class).archives()).isTrue();
              assertThat(
                      new JdbcTemplate(context.getBean(DataSource.class))
                          .queryForObject("select count(*) from mine", Integer.class))
                  .isZero();
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> enqueue(context, Message.to("orders").text("1".repeat(3073))));
            });
    application
        .withPropertyValues("outbox.schema.lanes=8")
        .withUserConfiguration(SixteenLanes.class)
        .run(
            context -> assertThat(context.getBean(JdbcStore.class).layout().lanes()).isEqualTo(16));
  }

  @Test
  void a_length_of_time_without_a_unit_is_in_seconds_and_a_retention_in_days() {
    application
        .withPropertyValues(
            "outbox.relay.grace=3",
            "outbox.relay.archive-retention=30",
            "outbox.message.dedupe-retention=7")
        .run(
            context -> {
              OutboxProperties properties = context.getBean(OutboxProperties.class);
              assertThat(properties.relay().grace()).isEqualTo(Duration.ofSeconds(3));
              assertThat(properties.relay().archiveRetention()).isEqualTo(Duration.ofDays(30));
              assertThat(properties.message().dedupeRetention()).isEqualTo(Duration.ofDays(7));
            });
  }

  @Test
  void the_store_and_the_outbox_have_customizers_too() {
    application
        .withUserConfiguration(StoreAndOutbox.class)
        .run(
            context -> {
              assertThat(context.getBean(JdbcStore.class).archives()).isTrue();
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> enqueue(context, Message.to("orders").text("12345")));
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class StoreAndOutbox {
    @Bean
    OutboxCustomizer<JdbcStore.Builder> archive() {
      return JdbcStore.Builder::archive;
    }

    @Bean
    OutboxCustomizer<Outbox.Builder> small() {
      return outbox -> outbox.maxPayload(4);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SixteenLanes {
    @Bean
    OutboxCustomizer<Schema.Builder> lanes() {
      return schema -> schema.lanes(16);
    }
  }

  @Test
  void of_several_data_sources_the_marked_one_has_the_tables() {
    application
        .withUserConfiguration(TwoDataSources.class)
        .run(
            context -> {
              assertThat(tables(context.getBean("orders", DataSource.class))).isPositive();
              assertThat(tables(context.getBean("reports", DataSource.class))).isZero();
            });
  }

  @Test
  void of_several_data_sources_the_primary_one_has_them_if_none_is_marked() {
    application
        .withUserConfiguration(OnePrimary.class)
        .run(
            context -> {
              assertThat(tables(context.getBean("first", DataSource.class))).isPositive();
              assertThat(tables(context.getBean("second", DataSource.class))).isZero();
            });
  }

  @Test
  void a_transaction_of_the_marked_data_source_is_joined_and_one_of_another_refused() {
    application
        .withUserConfiguration(TwoDataSources.class)
        .run(
            context -> {
              Outbox.Joined outbox = context.getBean(Outbox.Joined.class);
              DataSource marked = context.getBean("orders", DataSource.class);
              on(marked)
                  .executeWithoutResult(status -> outbox.enqueue(Message.to("orders").text("1")));
              assertThat(new JdbcTemplate(marked).queryForList("select topic from outbox"))
                  .hasSize(1);

              TransactionTemplate other = on(context.getBean("reports", DataSource.class));
              assertThatIllegalStateException()
                  .isThrownBy(
                      () ->
                          other.executeWithoutResult(
                              status -> outbox.enqueue(Message.to("orders").text("2"))))
                  .withMessageStartingWith("the active transaction is not on the data source");
            });
  }

  private static TransactionTemplate on(DataSource dataSource) {
    return new TransactionTemplate(new DataSourceTransactionManager(dataSource));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoDataSources {
    @Bean
    @OutboxDataSource
    DataSource orders() {
      return memory();
    }

    @Bean
    DataSource reports() {
      return memory();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OnePrimary {
    @Bean
    @Primary
    DataSource first() {
      return memory();
    }

    @Bean
    DataSource second() {
      return memory();
    }
  }

  @Test
  void tables_are_made_where_the_database_is_embedded_and_else_only_on_request() {
    String file = "spring.datasource.url=jdbc:h2:file:./target/h2/" + UUID.randomUUID();
    application
        .withPropertyValues(file)
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining(StoreException.class.getName()));
    application
        .withPropertyValues(file, "outbox.schema.initialize=validate")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .hasMessageStartingWith("outbox.schema.initialize is 'validate'"));
    application
        .withPropertyValues(file, "outbox.schema.initialize=always")
        .run(context -> assertThat(context).hasNotFailed());
    application
        .withPropertyValues(file, "outbox.schema.initialize=validate")
        .run(context -> assertThat(context).hasNotFailed());
    application
        .withPropertyValues(file, "outbox.schema.initialize=never")
        .run(context -> assertThat(context).hasNotFailed());
  }

  private static DataSource memory() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return dataSource;
  }

  private static int tables(DataSource dataSource) {
    return new JdbcTemplate(dataSource)
        .queryForObject(
            "select count(*) from information_schema.tables where lower(table_name) like 'outbox%'",
            Integer.class);
  }

  private static void enqueue(ApplicationContext context, Message message) {
    transactions(context)
        .executeWithoutResult(status -> context.getBean(Outbox.Joined.class).enqueue(message));
  }

  private static TransactionTemplate transactions(ApplicationContext context) {
    return context.getBean(TransactionTemplate.class);
  }

  private static int rows(ApplicationContext context) {
    return new JdbcTemplate(context.getBean(DataSource.class))
        .queryForObject("select count(*) from outbox", Integer.class);
  }
}
