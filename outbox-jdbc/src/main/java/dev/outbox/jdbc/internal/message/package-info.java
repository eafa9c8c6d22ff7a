/** A message as a row: columns, headers as JSON, the batch of an INSERT. */
package dev.outbox.jdbc.internal.message;
