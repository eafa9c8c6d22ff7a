/**
 * Crashes, pauses and lost replies at every step that a writer or a relay takes, and what must hold
 * after each.
 */
@NullMarked
package dev.outbox.testkit.crash;

import org.jspecify.annotations.NullMarked;
