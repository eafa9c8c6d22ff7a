/**
 * One final class per database: what is particular to it beside its SQL.
 *
 * <p>A connection comes in as a {@link dev.outbox.jdbc.dialect.Product}, and {@link
 * dev.outbox.jdbc.internal.schema.Dialects} finds the {@link dev.outbox.jdbc.dialect.Dialect} whose
 * {@link dev.outbox.jdbc.dialect.Dialect.Match} fits. From there {@link
 * dev.outbox.jdbc.internal.session.Sql} has it, for clock, types, the {@link
 * dev.outbox.jdbc.dialect.Limits} of a session and what an error means ({@link
 * dev.outbox.jdbc.dialect.FaultCodes}, {@link dev.outbox.jdbc.dialect.Fault}); {@link
 * dev.outbox.jdbc.sql.Statements} reads the folders that it names.
 */
package dev.outbox.jdbc.dialect;
