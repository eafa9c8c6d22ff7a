package dev.outbox.spi.lane;

import dev.outbox.message.Key;

/**
 * A key of a topic that is held: its parked messages come before its ready ones.
 *
 * <p>Immutable.
 */
public record HeldKey(Lane lane, String topic, Key key) {}
