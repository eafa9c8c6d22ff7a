package dev.outbox.spi.lane;

/**
 * The message that was in flight alone when relays of its lane died.
 *
 * <p>Immutable. {@code deaths} counts how often it was handed out while it stood under suspicion.
 */
public record Suspect(long id, int deaths) {}
