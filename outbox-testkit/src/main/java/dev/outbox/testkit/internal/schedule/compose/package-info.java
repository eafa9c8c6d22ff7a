/** How a schedule is composed by chance, from a seed. */
package dev.outbox.testkit.internal.schedule.compose;
