/** Joins the transaction of a Hibernate session. */
@NullMarked
package dev.outbox.hibernate;

import org.jspecify.annotations.NullMarked;
