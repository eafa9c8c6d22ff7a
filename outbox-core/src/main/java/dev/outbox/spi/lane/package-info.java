/**
 * Lanes: what one is, who owns it, what it has.
 *
 * <p>An envelope gets its {@link dev.outbox.spi.lane.Lane} by {@link dev.outbox.spi.lane.LaneHash}.
 * A relay comes in by {@link dev.outbox.spi.LaneStore}, which shows it {@link
 * dev.outbox.spi.lane.PendingLanes}; what it leases is a {@link dev.outbox.spi.lane.LaneClaim},
 * with each {@link dev.outbox.spi.lane.HeldKey} and perhaps a {@link dev.outbox.spi.lane.Suspect}.
 * Its {@link dev.outbox.spi.lane.Lease} goes on to {@code settle}. {@link
 * dev.outbox.spi.lane.OpenTransactions} tells whether a lower id may still turn up, {@link
 * dev.outbox.spi.lane.GivenIds} whether ids were given before.
 */
@Experimental
@NullMarked
package dev.outbox.spi.lane;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
