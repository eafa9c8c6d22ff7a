/** Joins the transaction of a jOOQ configuration. */
@NullMarked
package dev.outbox.jooq;

import org.jspecify.annotations.NullMarked;
