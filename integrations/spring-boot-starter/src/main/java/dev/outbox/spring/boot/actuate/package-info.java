/** Health and the actuator endpoint. */
@NullMarked
package dev.outbox.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
