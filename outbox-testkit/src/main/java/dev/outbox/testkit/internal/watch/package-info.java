/** Stores, publishers and data sources that report each of their steps. */
package dev.outbox.testkit.internal.watch;
