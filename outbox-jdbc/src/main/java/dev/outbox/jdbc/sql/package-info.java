/**
 * Every statement that is sent, by name. Its texts are in {@code
 * dev/outbox/jdbc/sql/<folder>/<file>.sql} of the jar: a text of the database's own folder, or else
 * of the folders that its dialect names behind it. What a statement returns and binds is at its
 * constant, for example at {@link dev.outbox.jdbc.sql.SettleStatement#FENCE}; {@link
 * dev.outbox.jdbc.sql.Texts} says how a file is written, {@link dev.outbox.jdbc.sql.Kind} which
 * shapes a text can have, and {@link dev.outbox.jdbc.sql.Statements} hands them out.
 */
package dev.outbox.jdbc.sql;
