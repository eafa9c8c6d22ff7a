/** What a relay publishes, in which order, and what it makes of the answers. */
package dev.outbox.tck.relay.publish;
