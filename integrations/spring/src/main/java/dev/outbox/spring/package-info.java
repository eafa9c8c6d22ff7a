/** Joins the transactions of Spring. */
@NullMarked
package dev.outbox.spring;

import org.jspecify.annotations.NullMarked;
