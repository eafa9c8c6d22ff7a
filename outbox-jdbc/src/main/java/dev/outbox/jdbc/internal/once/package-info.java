/** What is remembered so that it is done once: dedupe keys, receipts, and their purge. */
package dev.outbox.jdbc.internal.once;
