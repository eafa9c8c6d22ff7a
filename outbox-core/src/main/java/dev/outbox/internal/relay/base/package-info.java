/**
 * What every stage of a relay uses: settings, time, rests, counters.
 *
 * <p>Settings come in as {@link dev.outbox.internal.relay.base.RelaySettings}, the time by {@link
 * dev.outbox.internal.relay.base.Ticker}; between two turns the loop waits in an {@link
 * dev.outbox.internal.relay.base.IdleWait}. A {@link dev.outbox.internal.relay.base.DutyCycle}
 * bounds how often something expensive is done, a {@link
 * dev.outbox.internal.relay.base.LockPatience} what has waited for locks in vain. What a stage has
 * done goes on to {@link dev.outbox.internal.relay.base.RelayCounters}, of which a status is made,
 * to the {@link dev.outbox.internal.relay.base.FailureLog}, and to the user's listener behind a
 * {@link dev.outbox.internal.relay.base.GuardedListener}.
 */
package dev.outbox.internal.relay.base;
