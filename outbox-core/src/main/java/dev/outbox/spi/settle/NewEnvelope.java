package dev.outbox.spi.settle;

import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.lane.Lane;
import org.jspecify.annotations.Nullable;

/**
 * An envelope on its way into the store, with its lane. A null {@code due} means at once.
 *
 * <p>Immutable.
 */
public record NewEnvelope(Lane lane, Envelope envelope, Message.@Nullable Due due) {}
