/** Lanes: what one is, who owns it, what it has. */
@NullMarked
package dev.outbox.spi.lane;

import org.jspecify.annotations.NullMarked;
