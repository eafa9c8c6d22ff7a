/**
 * One lane of a relay: what was read from it, what flies, what is to be settled.
 *
 * <p>{@link dev.outbox.internal.relay.lane.OwnedLanes} holds the lanes, a {@link
 * dev.outbox.internal.relay.lane.LaneRun} is one of them, with its essay on order. What was read is
 * a {@link dev.outbox.internal.relay.lane.Batch}; what becomes of its messages says {@link
 * dev.outbox.internal.relay.lane.SettleDecision}.
 */
package dev.outbox.internal.relay.lane;
