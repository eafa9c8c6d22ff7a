package dev.outbox.jdbc.dialect;

import java.util.Map;
import java.util.function.Function;

/**
 * The server's own limits of a session: {@code read} returns one row, {@code write} binds values by
 * the names of its columns, {@code values} gives them in the server's units.
 */
public record LimitSql(String read, String write, Function<Limits, Map<String, Object>> values) {}
