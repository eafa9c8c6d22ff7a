/**
 * What is measured: one class a workload. {@link dev.outbox.benchmarks.workload.Workloads} lists
 * them.
 */
package dev.outbox.benchmarks.workload;
