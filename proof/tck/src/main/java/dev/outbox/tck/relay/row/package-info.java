/** What a relay does over tables that are claimed by rows, and what it refuses over the others. */
package dev.outbox.tck.relay.row;
