/** A message as a store keeps it, and what becomes of it. */
package dev.outbox.spi.settle;
