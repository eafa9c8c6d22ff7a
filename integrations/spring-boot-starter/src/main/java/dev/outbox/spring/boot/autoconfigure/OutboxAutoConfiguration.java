package dev.outbox.spring.boot.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outbox.Outbox;
import dev.outbox.console.OutboxConsole;
import dev.outbox.jackson3.Jackson3Codec;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.jdbc.Schema;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.SpringTransactions;
import dev.outbox.spring.boot.OutboxCustomizer;
import dev.outbox.spring.boot.OutboxDataSource;
import dev.outbox.spring.boot.OutboxProperties;
import dev.outbox.spring.boot.OutboxSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.AllNestedConditions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/**
 * An outbox beside a data source, which joins the transactions of Spring.
 *
 * <p>As each of ours it comes late, or those that it is after would come early: many beans of
 * others, as transaction managers, are made only where there is none yet.
 */
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
@ConditionalOnProperty(name = "outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
@ImportRuntimeHints(OutboxRuntimeHints.class)
public class OutboxAutoConfiguration {

  /** The tables are there, or made, when this is. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(OutboxStore.class)
  @Conditional(OnOutboxDataSource.class)
  static class Store {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "outbox.postgres-wakeup")
    PostgresWakeup outboxPostgresWakeup(
        ObjectProvider<DataSource> any, @OutboxDataSource ObjectProvider<DataSource> chosen) {
      return PostgresWakeup.create(choose(any, chosen));
    }

    @Bean
    @DependsOnDatabaseInitialization
    JdbcStore outboxStore(
        ObjectProvider<DataSource> any,
        @OutboxDataSource ObjectProvider<DataSource> chosen,
        OutboxProperties properties,
        ObjectProvider<PostgresWakeup> wakeup,
        ObjectProvider<OutboxCustomizer<Schema.Builder>> schemas,
        ObjectProvider<OutboxCustomizer<JdbcStore.Builder>> stores) {
      DataSource dataSource = choose(any, chosen);
      SchemaStart.run(dataSource, properties.schema(), schemas);
      JdbcStore.Builder builder =
          StarterSettings.of(JdbcStore.builder(dataSource), properties.schema());
      wakeup.ifAvailable(builder::wakeup);
      stores.orderedStream().forEach(each -> each.customize(builder));
      return builder.build();
    }

    /** The console shows in what the tables differ. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OutboxConsole.class)
    static class InConsole {
      @Bean
      @Order(Ordered.HIGHEST_PRECEDENCE)
      OutboxCustomizer<OutboxConsole.Builder> outboxSchemaInConsole(
          ObjectProvider<DataSource> any,
          @OutboxDataSource ObjectProvider<DataSource> chosen,
          JdbcStore store,
          OutboxProperties properties,
          ObjectProvider<OutboxCustomizer<Schema.Builder>> schemas) {
        DataSource dataSource = choose(any, chosen);
        return console ->
            console.schema(
                () ->
                    SchemaStart.differences(
                        dataSource, store.layout(), properties.schema(), schemas));
      }
    }
  }

  private static DataSource choose(
      ObjectProvider<DataSource> any, ObjectProvider<DataSource> chosen) {
    DataSource marked = chosen.getIfAvailable();
    return marked == null ? any.getObject() : marked;
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxSettings outboxSettings(
      OutboxProperties properties,
      ObjectProvider<PayloadCodec> codec,
      ObjectProvider<MessageLimits> limits,
      ObjectProvider<EnqueueObserver> observers,
      ObjectProvider<OutboxCustomizer<Outbox.Builder>> customizers) {
    return new OutboxSettings(
        (builder, fits) -> {
          StarterSettings.of(builder, properties.message());
          codec.ifAvailable(builder::codec);
          limits.ifAvailable(builder::limits);
          observers.orderedStream().filter(fits).forEach(builder::observer);
          customizers.orderedStream().forEach(each -> each.customize(builder));
        });
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(OutboxStore.class)
  Outbox outbox(OutboxStore store, OutboxSettings settings) {
    Outbox.Builder builder = Outbox.builder(store);
    settings.applyTo(builder);
    return builder.build();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBean(JdbcStore.class)
  @Conditional(OnOutboxDataSource.class)
  SpringTransactions outboxTransactions(
      ObjectProvider<DataSource> any, @OutboxDataSource ObjectProvider<DataSource> chosen) {
    return SpringTransactions.of(choose(any, chosen));
  }

  @Bean
  static TransactionListening outboxTransactionListening() {
    return new TransactionListening();
  }

  @Bean
  @ConditionalOnMissingBean
  @Conditional(OneToJoin.class)
  Outbox.Joined joinedOutbox(Outbox outbox, SpringTransactions transactions) {
    return outbox.join(transactions);
  }

  /** It is clear which outbox joins which transactions. */
  static final class OneToJoin extends AllNestedConditions {
    OneToJoin() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSingleCandidate(Outbox.class)
    static class OneOutbox {}

    @ConditionalOnSingleCandidate(SpringTransactions.class)
    static class OneOfTransactions {}
  }

  /** The application's own mapper, where it has one of Jackson 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JsonMapper.class)
  static class Jackson3 {
    @Bean
    @ConditionalOnMissingBean(PayloadCodec.class)
    @ConditionalOnSingleCandidate(JsonMapper.class)
    Jackson3Codec outboxCodec(JsonMapper mapper) {
      return Jackson3Codec.of(mapper);
    }
  }

  /** The application's own mapper, where it has one of Jackson 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObjectMapper.class)
  static class Jackson2 {
    @Bean
    @ConditionalOnMissingBean(PayloadCodec.class)
    @ConditionalOnSingleCandidate(ObjectMapper.class)
    JacksonCodec outboxCodecOfJackson2(ObjectMapper mapper) {
      return JacksonCodec.of(mapper);
    }
  }
}
