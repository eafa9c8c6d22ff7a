/**
 * What an operator sees of a store: {@link dev.outbox.console.look.Looker} takes a {@link
 * dev.outbox.console.look.Look}, two of them make {@link dev.outbox.console.look.Rates}, and {@link
 * dev.outbox.console.look.Trouble} says in plain words what is wrong.
 */
@NullMarked
package dev.outbox.console.look;

import org.jspecify.annotations.NullMarked;
