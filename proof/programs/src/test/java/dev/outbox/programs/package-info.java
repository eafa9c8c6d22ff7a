/**
 * Programs as new users write them from README and the pages alone: tables, an own row and a
 * message in one transaction, a publisher, a relay, and the close of all. {@code ProgramCases} has
 * what each must do.
 */
@NullMarked
package dev.outbox.programs;

import org.jspecify.annotations.NullMarked;
