/** What an application gives to a relay: publishers, retry policies, resolvers and listeners. */
@NullMarked
package dev.outbox.publish;

import org.jspecify.annotations.NullMarked;
