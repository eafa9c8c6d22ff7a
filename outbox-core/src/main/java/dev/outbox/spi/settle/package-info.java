/** A message as a store keeps it, and what becomes of it. */
@Experimental
@NullMarked
package dev.outbox.spi.settle;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
