/**
 * Texts that every database keeps and compares exactly, and those that must be JSON.
 *
 * <p>What an application hands in comes by {@link dev.outbox.internal.text.StorableText}, {@link
 * dev.outbox.internal.text.StorableInstant} or {@link dev.outbox.internal.text.JsonSyntax}, which
 * refuse what cannot be kept as it is. Headers come out of a row by {@link
 * dev.outbox.internal.text.HeaderJson}, and a CloudEvent is written by {@link
 * dev.outbox.internal.text.JsonEvent}. What goes on to operators, in statuses and log lines, is a
 * {@link dev.outbox.internal.text.ShortText}; an exception is told with its {@link
 * dev.outbox.internal.text.Causes}.
 */
package dev.outbox.internal.text;
