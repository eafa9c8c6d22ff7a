/**
 * What every store, relay, outbox and inbox must do, as suites for who writes a store. Extend one
 * and say how to open yours: {@link dev.outbox.tck.OutboxStoreContract} is what a store does,
 * {@link dev.outbox.tck.RelayContract} what a relay does over it, {@link
 * dev.outbox.tck.EnqueueContract} what the outbox does, {@link dev.outbox.tck.InboxContract} what
 * the inbox does. A {@link dev.outbox.tck.StoreEnvironment} is an open store and what a case may
 * ask of it. The cases are in the packages below, by theme.
 */
package dev.outbox.tck;
