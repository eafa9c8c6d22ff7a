package dev.outbox.spring.boot;

/**
 * A bean that sets what has no property, after the properties: of a {@code Schema.Builder}, {@code
 * JdbcStore.Builder}, {@code Outbox.Builder} or {@code Relay.Builder}. Several are called in their
 * order.
 *
 * <pre>{@code
 * @Bean
 * OutboxCustomizer<Relay.Builder> patience() {
 *   return relay -> relay.retry("mails", RetryPolicy.standard().attempts(50));
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
