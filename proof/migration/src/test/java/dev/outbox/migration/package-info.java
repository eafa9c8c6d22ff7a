/** Waiting messages of other libraries become ours, by the SQL of docs/migrate.md. */
@NullMarked
package dev.outbox.migration;

import org.jspecify.annotations.NullMarked;
