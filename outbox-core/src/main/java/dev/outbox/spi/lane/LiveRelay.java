package dev.outbox.spi.lane;

import java.time.Instant;

/**
 * A relay that lives by the database's clock.
 *
 * <p>Immutable. One that is not {@code sharing} has found everything that it publishes to down: it
 * keeps a lane to probe with and leaves the others to those that share.
 */
public record LiveRelay(String name, boolean sharing, Instant startedAt) {}
