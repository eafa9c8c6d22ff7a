package dev.outbox;

/**
 * How far a replay came: how many messages it put back, or would have in a dry run, and the number
 * of the last dead letter that it looked at, 0 for none.
 *
 * <p>Immutable. It is not {@code complete} when its thread was interrupted.
 */
public record Replayed(long messages, long last, boolean complete) {}
