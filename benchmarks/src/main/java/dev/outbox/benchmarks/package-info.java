/**
 * Benchmarks: {@code workload} puts each {@code contender} to the same work, {@code measure} looks
 * on, {@code report} tells.
 */
package dev.outbox.benchmarks;
