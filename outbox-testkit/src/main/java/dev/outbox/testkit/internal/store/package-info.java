/** The ports of the in-memory store, over its tables. */
package dev.outbox.testkit.internal.store;
