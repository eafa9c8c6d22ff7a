/** The tables of the in-memory store, its transactions, and what clusters keep in them. */
package dev.outbox.testkit.internal.tables;
