/**
 * The counters of ids: the next one, the highest that the tables show, and how one is raised.
 *
 * <p>The doctor comes in by {@link dev.outbox.jdbc.internal.ids.IdCounters}, which asks {@link
 * dev.outbox.jdbc.internal.ids.NextIds}; a relay by {@link dev.outbox.jdbc.internal.ids.ToldIds}.
 * {@code Schema} raises what lies behind by {@link dev.outbox.jdbc.internal.ids.RaisedIds}. A
 * settle comes in by {@link dev.outbox.jdbc.internal.ids.TakenIds}, which finds messages that
 * cannot keep their id.
 */
package dev.outbox.jdbc.internal.ids;
