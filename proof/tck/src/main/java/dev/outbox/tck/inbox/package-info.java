/** What the inbox promises to consumers. */
package dev.outbox.tck.inbox;
