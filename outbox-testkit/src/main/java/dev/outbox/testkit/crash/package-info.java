/**
 * Crashes, pauses and lost replies at every step that a writer or a relay takes, and what must hold
 * after each.
 */
package dev.outbox.testkit.crash;
