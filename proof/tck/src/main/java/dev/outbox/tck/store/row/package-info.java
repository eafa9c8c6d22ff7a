/** How a store gives out messages and writes what became of them, by rows. */
package dev.outbox.tck.store.row;
