/** How a store gives out messages and writes what became of them, by lanes and by rows. */
package dev.outbox.tck.store.claim;
