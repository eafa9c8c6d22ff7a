/** The brokers here, for {@code examples/chaos/run --broker}. */
package dev.outbox.brokers.chaos;
