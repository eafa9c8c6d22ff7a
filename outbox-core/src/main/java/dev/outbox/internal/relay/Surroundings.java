package dev.outbox.internal.relay;

import java.util.concurrent.Executor;

/**
 * What the turns need of the world around them: where flights are published, what time it is, and
 * whom to tell that a flight is over.
 *
 * <p>Immutable.
 */
public record Surroundings(Executor executor, Ticker ticker, Runnable wake) {}
