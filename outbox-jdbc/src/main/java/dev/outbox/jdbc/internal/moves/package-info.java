/** Rows that go from one table to another, and what is read on the way: heads of keys, bodies. */
package dev.outbox.jdbc.internal.moves;
