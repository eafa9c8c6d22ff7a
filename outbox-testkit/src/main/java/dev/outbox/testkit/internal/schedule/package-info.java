/** How a schedule is composed and run: its decisions, relays, writers, broker and clocks. */
package dev.outbox.testkit.internal.schedule;
