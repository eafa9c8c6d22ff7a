/** Finds the driver, the password and the store. */
@NullMarked
package dev.outbox.cli.connect;

import org.jspecify.annotations.NullMarked;
