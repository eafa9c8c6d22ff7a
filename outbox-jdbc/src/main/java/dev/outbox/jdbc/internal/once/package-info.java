/**
 * What is remembered so that it is done once: dedupe keys, receipts, and their purge.
 *
 * <p>An outbox comes in by {@link dev.outbox.jdbc.internal.once.DedupeTable}, an inbox by {@link
 * dev.outbox.jdbc.internal.once.Receipts}. Both look by {@link
 * dev.outbox.jdbc.internal.once.OptionalTable} whether their table is there, lock {@link
 * dev.outbox.jdbc.internal.once.InsertSlots} where the database needs them, and go on to {@link
 * dev.outbox.jdbc.internal.once.UniqueInsert}, which tells what is new. What is over goes by {@link
 * dev.outbox.jdbc.internal.once.OncePurge}.
 */
package dev.outbox.jdbc.internal.once;
