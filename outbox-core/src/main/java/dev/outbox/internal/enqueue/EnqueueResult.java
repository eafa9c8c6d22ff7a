package dev.outbox.internal.enqueue;

import dev.outbox.message.MessageId;
import dev.outbox.spi.settle.NewEnvelope;
import java.util.List;

/**
 * What became of a list of messages: those that were written, and for each that was given its id,
 * or that of the first with its key.
 */
public record EnqueueResult(List<NewEnvelope> written, List<MessageId> ids) {}
