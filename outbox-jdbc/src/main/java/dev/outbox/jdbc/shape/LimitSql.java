package dev.outbox.jdbc.shape;

/**
 * The server's own limits of a session: {@code read} returns one row, {@code write} binds values by
 * the names of its columns, in the server's units.
 *
 * <p>Where poolers lend the server's sessions by transaction, {@code local} sets the same limits
 * and READ COMMITTED for the open transaction alone, and {@code read} returns the server's number
 * of the session as {@code session} too; elsewhere {@code local} is empty.
 */
public record LimitSql(String read, String write, String local) {}
