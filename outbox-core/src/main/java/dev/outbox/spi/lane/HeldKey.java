package dev.outbox.spi.lane;

import dev.outbox.message.Key;

/**
 * A key of a topic that is held: parked messages of it stand before its ready ones.
 *
 * <p>Immutable.
 */
public record HeldKey(Lane lane, String topic, Key key) {}
