package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.spi.OutboxStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * There is a store, of the starter or of the application, and {@code outbox.enabled} is not false.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBean(OutboxStore.class)
@ConditionalOnProperty(name = "outbox.enabled", matchIfMissing = true)
public @interface ConditionalOnOutbox {}
