/** The counters of ids: the next one, the highest that the tables show, and how one is raised. */
package dev.outbox.jdbc.internal.ids;
