/** How a schedule is run: its decisions, relays, writers, broker and clocks. */
package dev.outbox.testkit.internal.schedule;
