/**
 * What connections of others are asked for, beside the statements: to end at once ({@link
 * dev.outbox.internal.connection.CutConnection}).
 */
package dev.outbox.internal.connection;
