/**
 * Explains why an application with an outbox does not start, or lacks something. Spring Boot finds
 * these classes by {@code spring.factories} and {@code AutoConfiguration.imports}.
 */
@NullMarked
package dev.outbox.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
