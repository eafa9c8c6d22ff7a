package dev.outbox.jdbc.shape;

/**
 * How dead letters are searched: {@code page} those above {@code :after}, at most {@code :limit},
 * in order of their number; {@code summaries} the same without headers, payloads and histories;
 * {@code ids} their names alone; {@code count} how many fit, counting no further than {@code
 * :bound}.
 */
public record DeadSql(String page, String summaries, String ids, String count) {}
