/** Rows of the application that a message names instead of a payload. */
package dev.outbox.jdbc.internal.reference;
