/**
 * Connections, transactions and statements.
 *
 * <p>{@link dev.outbox.jdbc.internal.session.Sql} runs statements in a caller's transaction or in
 * one of its own, {@link dev.outbox.jdbc.internal.session.Session} keeps a connection for a relay.
 * The caller's connection is never closed here.
 */
package dev.outbox.jdbc.internal.session;
