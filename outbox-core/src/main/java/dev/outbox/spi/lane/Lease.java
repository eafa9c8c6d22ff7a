package dev.outbox.spi.lane;

/**
 * A relay's time-limited right to a lane. Every later write under it names its owner and epoch, and
 * changes nothing when they are no longer those of the lane.
 *
 * <p>Immutable. {@code floor} is the id below which no ready message was left when it was last
 * stored.
 */
public record Lease(Lane lane, String owner, long epoch, long floor) {}
