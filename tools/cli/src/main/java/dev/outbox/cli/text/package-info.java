/** Writes for people and for scripts. */
@NullMarked
package dev.outbox.cli.text;

import org.jspecify.annotations.NullMarked;
