/**
 * Schedules: writers, relays, crashes, pauses, clocks and broker faults, interleaved by one seed
 * that repeats them exactly, and shrunk to a short story when they find something.
 */
@NullMarked
package dev.outbox.testkit.schedule;

import org.jspecify.annotations.NullMarked;
