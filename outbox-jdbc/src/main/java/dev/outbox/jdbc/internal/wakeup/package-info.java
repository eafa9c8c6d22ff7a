/**
 * Wake-ups of other processes by LISTEN and NOTIFY.
 *
 * <p>The store's wake-ups come in by {@link dev.outbox.jdbc.internal.wakeup.Channels}: a {@link
 * dev.outbox.jdbc.internal.wakeup.Channel} for each outbox, a {@link
 * dev.outbox.jdbc.internal.wakeup.ListenThread} that hears the other processes, and a {@link
 * dev.outbox.jdbc.internal.wakeup.NotifyThread} that tells them.
 */
package dev.outbox.jdbc.internal.wakeup;
