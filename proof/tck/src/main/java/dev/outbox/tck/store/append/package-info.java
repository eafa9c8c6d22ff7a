/** What a store writes, under which ids, and when it is safe to read. */
package dev.outbox.tck.store.append;
