/**
 * The shapes of statements: how values are handed to a text that differs by database in more than
 * words.
 */
package dev.outbox.jdbc.shape;
