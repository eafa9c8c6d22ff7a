/**
 * Rows that go from one table to another, and what is read on the way: heads of keys, bodies.
 *
 * <p>What is to be moved comes in as a {@link dev.outbox.jdbc.internal.moves.MoveRow} and goes on
 * by {@link dev.outbox.jdbc.internal.moves.Moves}; {@link
 * dev.outbox.jdbc.internal.moves.PresentRows} finds first which are still there, and {@link
 * dev.outbox.jdbc.internal.moves.KeyHeads} makes due what then stands first in its key. A read
 * comes in by {@link dev.outbox.jdbc.internal.moves.LaneQueries}, and {@link
 * dev.outbox.jdbc.internal.moves.BoundedRead} takes of it what fits; {@link
 * dev.outbox.jdbc.internal.moves.SkipLockedRead} locks what nobody else has.
 */
package dev.outbox.jdbc.internal.moves;
