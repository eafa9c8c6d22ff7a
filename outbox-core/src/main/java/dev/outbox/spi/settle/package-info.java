/**
 * A message as a store keeps it, and what becomes of it.
 *
 * <p>A message comes in as a {@link dev.outbox.spi.settle.NewEnvelope}, is read as a {@link
 * dev.outbox.spi.settle.StoredEnvelope}, with its {@link dev.outbox.spi.settle.RetryState} where it
 * was parked, and leaves by its {@link dev.outbox.spi.settle.Fate}. The fates of a lane go back to
 * the store in one {@link dev.outbox.spi.settle.Settlement}; its {@link
 * dev.outbox.spi.settle.SettleResult} says whether the lane was still owned.
 */
@Experimental
@NullMarked
package dev.outbox.spi.settle;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
