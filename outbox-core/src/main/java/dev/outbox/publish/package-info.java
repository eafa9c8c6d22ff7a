/** What an application plugs in to send: publishers, retry policies and listeners. */
@NullMarked
package dev.outbox.publish;

import org.jspecify.annotations.NullMarked;
