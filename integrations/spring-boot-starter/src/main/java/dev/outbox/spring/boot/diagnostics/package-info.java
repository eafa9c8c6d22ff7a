/**
 * Says why an application with an outbox does not start. Found by Spring Boot, called by nobody.
 */
@NullMarked
package dev.outbox.spring.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
