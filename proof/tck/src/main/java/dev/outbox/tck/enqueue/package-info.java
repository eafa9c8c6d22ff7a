/** What the outbox does in the transaction of its caller, and what it refuses. */
package dev.outbox.tck.enqueue;
