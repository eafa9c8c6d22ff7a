/** What relays and workers do on their own threads. */
package dev.outbox.tck.relay.thread;
