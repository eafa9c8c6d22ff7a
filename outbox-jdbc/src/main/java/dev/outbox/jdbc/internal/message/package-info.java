/**
 * A message as a row: columns, headers as JSON, the batch of an INSERT.
 *
 * <p>An envelope comes in by {@link dev.outbox.jdbc.internal.message.Appends}, which writes it in
 * the caller's transaction. Out of a row it comes by {@link
 * dev.outbox.jdbc.internal.message.MessageColumns} as a {@link
 * dev.outbox.jdbc.internal.message.MessageRow}, in reads of lanes as a {@link
 * dev.outbox.jdbc.internal.message.MessageHead}, to which its body is added where that was too
 * heavy, and goes on to the relay as a {@code StoredEnvelope}. {@link
 * dev.outbox.jdbc.internal.message.RowId} says where it stands.
 */
package dev.outbox.jdbc.internal.message;
