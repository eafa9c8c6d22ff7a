/**
 * What connections of others are asked for, beside the statements: to undo a part of a transaction
 * ({@link dev.outbox.internal.connection.CallerSavepoint}), and to end at once ({@link
 * dev.outbox.internal.connection.CutConnection}).
 */
package dev.outbox.internal.connection;
