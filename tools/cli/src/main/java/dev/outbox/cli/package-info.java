/**
 * The command line. {@link dev.outbox.cli.Main} reads the arguments; {@code connect} opens the
 * store that they name; {@code command} has a class for each command; {@code text} writes what they
 * tell, for a person or as JSON. {@link dev.outbox.cli.Refusals} makes a sentence and an exit code
 * of what went wrong.
 */
@NullMarked
package dev.outbox.cli;

import org.jspecify.annotations.NullMarked;
