/** Benchmarks: one class a workload; {@link dev.outbox.benchmarks.Benchmarks} lists them. */
package dev.outbox.benchmarks;
