/**
 * The shapes of statements: how values are handed to a text that differs by database in more than
 * words.
 *
 * <p>A text comes in with the name of its shape, and {@link dev.outbox.jdbc.sql.Statements} hands
 * it out as such. What runs it has a branch for each case of the shape and does not ask for the
 * database: {@link dev.outbox.jdbc.internal.moves.Moves} for {@link dev.outbox.jdbc.shape.ByIds},
 * {@link dev.outbox.jdbc.internal.moves.LaneQueries} for {@link dev.outbox.jdbc.shape.LaneQuery}
 * and {@link dev.outbox.jdbc.shape.KeyQuery}, {@link dev.outbox.jdbc.internal.lanes.Fences} for
 * {@link dev.outbox.jdbc.shape.FenceSql}.
 */
package dev.outbox.jdbc.shape;
