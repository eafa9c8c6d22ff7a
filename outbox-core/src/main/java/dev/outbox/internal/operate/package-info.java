/**
 * What operators call, at work, and what is checked when a relay starts.
 *
 * <p>{@code DeadLetters} comes in by {@link dev.outbox.internal.operate.Replay} and {@link
 * dev.outbox.internal.operate.Discard}, which go through the store's dead letters by {@link
 * dev.outbox.internal.operate.DeadPortions}. What an application purges is a {@link
 * dev.outbox.internal.operate.BatchedPurge}. A relay that starts comes in by {@link
 * dev.outbox.internal.operate.RelayPreconditions}, which asks the store's doctor, and leaves its
 * {@link dev.outbox.internal.operate.StartLine} in the log; how long repeats may come is a {@link
 * dev.outbox.internal.operate.RepeatWindow}.
 */
package dev.outbox.internal.operate;
