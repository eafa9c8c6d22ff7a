/** One class for each command, or for a few that belong together. */
@NullMarked
package dev.outbox.cli.command;

import org.jspecify.annotations.NullMarked;
