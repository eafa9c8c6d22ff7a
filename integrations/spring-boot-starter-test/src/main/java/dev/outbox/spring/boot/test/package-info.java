/** Tests of a Spring Boot application with an outbox. */
@NullMarked
package dev.outbox.spring.boot.test;

import org.jspecify.annotations.NullMarked;
