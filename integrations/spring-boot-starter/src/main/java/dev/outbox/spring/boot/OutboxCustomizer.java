package dev.outbox.spring.boot;

/**
 * A bean that sets what has no property, after the properties: of the builder of what the starter
 * makes, as {@code Relay.Builder}, {@code Outbox.Builder}, {@code JdbcStore.Builder}, {@code
 * Schema.Builder}, {@code OutboxMetrics.Builder}, {@code OutboxObservations.Builder}, {@code
 * OutboxConsole.Builder}, {@code KafkaPublisher.Builder} and {@code RabbitPublisher.Builder}.
 * Several are called in their order.
 *
 * <pre>{@code
 * @Bean
 * OutboxCustomizer<Relay.Builder> patience() {
 *   return relay -> relay.retry("mails", RetryPolicy.standard().atMost(50));
 * }
 * }</pre>
 *
 * @param <B> the builder
 */
@FunctionalInterface
public interface OutboxCustomizer<B> {
  /** Sets what it likes of {@code builder}. */
  void customize(B builder);
}
