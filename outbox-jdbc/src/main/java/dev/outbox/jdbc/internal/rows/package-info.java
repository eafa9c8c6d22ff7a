/**
 * Relays that claim rows.
 *
 * <p>A worker comes in by {@link dev.outbox.jdbc.internal.rows.RowSession}; what it has claimed is
 * a {@link dev.outbox.jdbc.internal.rows.RowTransaction} until it is settled.
 */
package dev.outbox.jdbc.internal.rows;
