/** Lanes: what one is, who owns it, what it has. */
@Experimental
@NullMarked
package dev.outbox.spi.lane;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
