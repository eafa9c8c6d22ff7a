package dev.outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a {@code Publisher} bean as the one of these topics. A topic that no publisher has stays in
 * the database until one has it.
 *
 * <pre>{@code
 * @Bean
 * @OutboxPublisher("mails")
 * Publisher mails(MailClient client) {
 *   return Publisher.blocking(client::send);
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OutboxPublisher {
  /** The topics, at least one. */
  String[] value();
}
