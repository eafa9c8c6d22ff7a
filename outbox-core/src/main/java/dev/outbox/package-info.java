/** The doors: outbox, relay, inbox and dead letters. */
@NullMarked
package dev.outbox;

import org.jspecify.annotations.NullMarked;
