package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.WakeupQueue;

/**
 * What a worker is given besides its store and its publisher: the threads that publish, the clock,
 * whom to tell that a flight is over, the queue of wake-ups, and what the workers of a relay share.
 *
 * <p>Immutable.
 */
public record Surroundings(
    PublishThreads threads,
    Ticker ticker,
    Runnable wake,
    WakeupQueue wakeupQueue,
    RelayState relayState) {}
