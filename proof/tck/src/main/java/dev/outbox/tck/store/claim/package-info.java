/** How a store gives out messages and writes what became of them, by lanes. */
package dev.outbox.tck.store.claim;
