/** An outbox and a relay in a Spring Boot application: properties, annotations and customizers. */
@NullMarked
package dev.outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
