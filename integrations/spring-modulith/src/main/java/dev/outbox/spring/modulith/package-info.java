/** Events of Spring Modulith as messages. */
@NullMarked
package dev.outbox.spring.modulith;

import org.jspecify.annotations.NullMarked;
