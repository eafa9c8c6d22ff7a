/** What a database plugs in: the store, its claims, leases and settlements, and wake-ups. */
@NullMarked
package dev.outbox.spi;

import org.jspecify.annotations.NullMarked;
