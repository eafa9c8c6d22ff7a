/** The store on a relational database, with its inbox, schema, doctor and wake-ups. */
@NullMarked
package dev.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
