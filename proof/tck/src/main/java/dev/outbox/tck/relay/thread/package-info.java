/** What relays and workers do on threads of their own. */
package dev.outbox.tck.relay.thread;
