/**
 * One lane of a relay: what was read from it, what flies, what is to be settled.
 *
 * <p>{@link dev.outbox.internal.relay.lane.OwnedLanes} holds the lanes, a {@link
 * dev.outbox.internal.relay.lane.LaneRun} is one of them, with its essay on order. Readers know it
 * as a {@link dev.outbox.internal.relay.lane.ReadableLane}: they ask it where to read and tell it
 * what they found. What its claim gave is in {@link dev.outbox.internal.relay.lane.ClaimedLane}.
 * What it holds goes through {@link dev.outbox.internal.relay.batch.Batch}.
 *
 * <p>A lane is one thing: nobody outside of this package knows its parts.
 */
package dev.outbox.internal.relay.lane;
