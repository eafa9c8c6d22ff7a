/** Many databases, each with its own relay, in one process. */
package dev.outbox.benchmarks.databases;
