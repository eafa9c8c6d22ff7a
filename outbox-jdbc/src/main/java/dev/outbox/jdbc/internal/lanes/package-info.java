/**
 * Relays that own lanes.
 *
 * <p>A relay comes in by {@link dev.outbox.jdbc.internal.lanes.LaneSession}, which leases by {@link
 * dev.outbox.jdbc.internal.lanes.LaneClaims}, reads by {@link
 * dev.outbox.jdbc.internal.lanes.ReadyReader} and {@link dev.outbox.jdbc.internal.lanes.DueReader},
 * and settles by {@link dev.outbox.jdbc.internal.lanes.LaneSettling}.
 */
package dev.outbox.jdbc.internal.lanes;
