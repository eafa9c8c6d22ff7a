/** What an application plugs in to send: publishers, retry policies and listeners. */
package dev.outbox.publish;
