package dev.outbox.internal.relay.base;

/**
 * What a read sees that begins now: every message up to the id {@code safe}, and up to {@code
 * clear} every one but those of writers that are known to be open, and whose end will be noticed.
 */
public record Visible(long safe, long clear) {}
