/** The doors: outbox, relay, inbox and dead letters. */
package dev.outbox;
