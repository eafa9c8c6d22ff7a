/**
 * A page on which operators see a store and operate it. {@link dev.outbox.console.OutboxConsole} is
 * the door; a {@link dev.outbox.console.ConsoleRequest} comes in by the server in {@code serve} or
 * by an application that mounts it, is checked by {@code serve}'s guard, and is answered by {@code
 * view} with what {@code look} sees.
 */
@NullMarked
package dev.outbox.console;

import org.jspecify.annotations.NullMarked;
