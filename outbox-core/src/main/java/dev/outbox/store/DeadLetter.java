package dev.outbox.store;

import dev.outbox.message.Envelope;
import java.time.Instant;

/**
 * A message that will not move without an operator.
 *
 * <p>Immutable. {@code number} is its own, in the order of death; {@code history} holds the errors
 * of its attempts, oldest first; one that {@code holdsKey} is of a strict topic and keeps its key
 * held.
 */
public record DeadLetter(
    long number,
    Envelope envelope,
    DeathReason reason,
    String error,
    int attempts,
    String history,
    Instant diedAt,
    boolean holdsKey) {}
