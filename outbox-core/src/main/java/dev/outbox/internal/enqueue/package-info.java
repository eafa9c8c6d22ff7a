/** How a message is written in the caller's transaction, and who is woken when it commits. */
package dev.outbox.internal.enqueue;
