/**
 * Explains why an application with an outbox does not start. Spring Boot finds these classes by
 * {@code spring.factories}.
 */
@NullMarked
package dev.outbox.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
