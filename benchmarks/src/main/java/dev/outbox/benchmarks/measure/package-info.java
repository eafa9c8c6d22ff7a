/** How it is measured: sandboxes, rounds, medians, what a server counts and what processes use. */
package dev.outbox.benchmarks.measure;
