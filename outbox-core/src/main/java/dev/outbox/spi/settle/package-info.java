/** A message as a store keeps it, and what becomes of it. */
@NullMarked
package dev.outbox.spi.settle;

import org.jspecify.annotations.NullMarked;
