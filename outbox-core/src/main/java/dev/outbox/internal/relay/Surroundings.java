package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.WakeupQueue;

/**
 * What the turns need of the world around them: where flights are published, what time it is, whom
 * to tell that a flight is over, what wakes it for news, and what the workers of a relay share.
 *
 * <p>Immutable.
 */
public record Surroundings(
    PublishThreads threads,
    Ticker ticker,
    Runnable wake,
    WakeupQueue wakeupQueue,
    RelayState relayState) {}
