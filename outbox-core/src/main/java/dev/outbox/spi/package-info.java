/** What a database plugs in: the store, its claims, leases and settlements, and wake-ups. */
@Experimental
@NullMarked
package dev.outbox.spi;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
