package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.outbox.Outbox;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

/** An application that cannot start says why and what to do, in place of a stack trace. */
@ExtendWith(OutputCaptureExtension.class)
class FailedStartTest {
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Publisher broker() {
      return Publisher.blocking(envelope -> {});
    }
  }

  @Test
  void without_tables_it_names_the_property_and_the_files(CapturedOutput output) {
    fails(Map.of("spring.datasource.url", "jdbc:h2:file:./target/h2/" + UUID.randomUUID()));

    assertThat(output)
        .contains("APPLICATION FAILED TO START", "outbox.schema.initialize=always")
        .contains("outbox.schema.name", "outbox.schema.table-prefix")
        .doesNotContain("\tat dev.outbox");
  }

  @Test
  void settings_that_contradict_each_other_are_named_as_properties(CapturedOutput output) {
    refuses(output, "poll", "10s", "outbox.relay.lease, outbox.relay.renewal, outbox.relay.poll");
    refuses(output, "batch", "3000", "outbox.relay.batch, outbox.relay.max-in-flight");
    refuses(output, "archive-retention", "1d", "outbox.schema.archive");
  }

  private static void refuses(CapturedOutput output, String name, String value, String... named) {
    fails(
        Map.of(
            "spring.datasource.url",
            "jdbc:h2:mem:" + UUID.randomUUID(),
            "outbox.relay.max-in-flight",
            "2000",
            "outbox.relay.renewal",
            "5s",
            "outbox.relay." + name,
            value));
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains(named)
        .doesNotContain("\tat dev.outbox");
  }

  @Test
  void so_is_a_setting_for_which_the_text_has_another_word(CapturedOutput output) {
    names(output, "outbox.relay.name", "my relay");
    names(output, "outbox.schema.name", "my schema");
    names(output, "outbox.schema.table-prefix", "my-tables");
    names(output, "outbox.message.max-payload", "3GB");
    names(output, "outbox.metrics.interval", "1ms");
    names(output, "outbox.postgres-wakeup", "true");
  }

  private static void names(CapturedOutput output, String property, String value) {
    fails(Map.of("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID(), property, value));
    assertThat(output)
        .contains("Change it by these properties: " + property)
        .doesNotContain("\tat dev.outbox");
  }

  @Test
  void two_publishers_without_topics_are_refused_with_the_property_that_chooses(
      CapturedOutput output) {
    fails(
        Map.of("spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID()),
        Application.class,
        AnotherPublisher.class);
    assertThat(output)
        .contains("APPLICATION FAILED TO START", "@OutboxPublisher", "outbox.broker")
        .doesNotContain("\tat dev.outbox");
  }

  @Configuration(proxyBeanMethods = false)
  static class AnotherPublisher {
    @Bean
    Publisher another() {
      return Publisher.blocking(envelope -> {});
    }
  }

  @Test
  void so_is_what_the_tables_are_not(CapturedOutput output) {
    String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    Schema.builder(new DriverManagerDataSource(url, "sa", "")).create();

    fails(Map.of("spring.datasource.url", url, "outbox.schema.lanes", "8"));
    assertThat(output).contains("outbox.schema.lanes, outbox.schema.claiming");

    fails(
        Map.of(
            "spring.datasource.url", url,
            "outbox.schema.archive", "true",
            "outbox.schema.initialize", "never"));
    assertThat(output).contains("outbox.schema.initialize=always");
  }

  @Test
  void tables_that_may_not_be_read_are_not_said_to_be_missing(CapturedOutput output) {
    String url = "jdbc:h2:mem:" + UUID.randomUUID();
    DataSource owner = new DriverManagerDataSource(url + ";DB_CLOSE_DELAY=-1", "sa", "");
    Schema.builder(owner).create();
    new JdbcTemplate(owner).execute("CREATE USER shop PASSWORD 'shop'");

    fails(
        Map.of(
            "spring.datasource.url", url,
            "spring.datasource.username", "shop",
            "spring.datasource.password", "shop",
            "outbox.schema.initialize", "never"));

    assertThat(output).contains("grant what").doesNotContain("outbox.schema.initialize=always");
  }

  @Test
  void a_server_that_is_not_there_is_not_said_to_lack_tables(CapturedOutput output) {
    fails(
        Map.of(
            "spring.datasource.url", "jdbc:h2:tcp://127.0.0.1:1/shop",
            "spring.datasource.hikari.connection-timeout", "300"));

    assertThat(output)
        .contains("check that the database is running")
        .doesNotContain("outbox.schema.initialize=always");
  }

  @Test
  void what_the_doctor_finds_is_reported_with_its_remedy(CapturedOutput output) {
    fails(
        Map.of(
            "spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID(),
            "spring.datasource.hikari.maximum-pool-size", "1",
            "spring.datasource.hikari.connection-timeout", "300",
            "outbox.schema.claiming", "rows"));

    assertThat(output)
        .contains("APPLICATION FAILED TO START", "cannot start:", "outbox.relay.enabled=false")
        .doesNotContain("\tat dev.outbox");
  }

  @Test
  void between_several_data_sources_it_names_the_annotation_that_chooses(CapturedOutput output) {
    fails(Map.of(), Application.class, Unmarked.class);

    assertThat(output)
        .contains("APPLICATION FAILED TO START", "[orders, reports]", "@OutboxDataSource")
        .doesNotContain("\tat org.springframework");
  }

  @Configuration(proxyBeanMethods = false)
  static class Unmarked {
    @Bean
    DataSource orders() {
      return new EmbeddedDatabaseBuilder()
          .setType(EmbeddedDatabaseType.H2)
          .generateUniqueName(true)
          .build();
    }

    @Bean
    DataSource reports() {
      return new EmbeddedDatabaseBuilder()
          .setType(EmbeddedDatabaseType.H2)
          .generateUniqueName(true)
          .build();
    }

    @Bean
    Runnable shop(Outbox.Joined outbox) {
      return () -> outbox.enqueue(Message.to("orders").text("1"));
    }
  }

  @Test
  void between_several_stores_it_names_the_annotation_that_chooses(CapturedOutput output) {
    fails(Map.of(), Application.class, TwoStores.class);
    assertThat(output)
        .contains("APPLICATION FAILED TO START", "which outbox is meant: [orders, reports]")
        .contains("@Primary", "@Bean(defaultCandidate = false)")
        .doesNotContain("\tat org.springframework");

    fails(Map.of("outbox.relay.enabled", "false"), TwoStores.class, Shop.class);
    assertThat(output).contains("which store it is for: [orders, reports]");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoStores {
    @Bean
    OutboxStore orders() {
      return InMemoryStore.create();
    }

    @Bean
    OutboxStore reports() {
      return InMemoryStore.create();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    Runnable orderly(Outbox outbox) {
      return outbox::wake;
    }
  }

  @Test
  void between_several_outboxes_it_names_those_that_could_be_joined(CapturedOutput output) {
    fails(Map.of(), TwoOutboxes.class, Joining.class);

    assertThat(output)
        .contains("APPLICATION FAILED TO START", "which outbox is meant: [first, second]")
        .contains("@Primary");
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoOutboxes {
    @Bean
    Outbox first(OutboxStore store) {
      return Outbox.create(store);
    }

    @Bean
    Outbox second(OutboxStore store) {
      return Outbox.create(store);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Joining {
    @Bean
    Runnable shop(Outbox.Joined outbox) {
      return () -> outbox.enqueue(Message.to("orders").text("1"));
    }
  }

  private static void fails(Map<String, Object> properties) {
    fails(properties, Application.class);
  }

  private static void fails(Map<String, Object> properties, Class<?>... sources) {
    SpringApplication application = new SpringApplication(sources);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setDefaultProperties(properties);
    assertThatException().isThrownBy(application::run);
  }
}
