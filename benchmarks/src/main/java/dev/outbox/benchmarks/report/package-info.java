/** What is said about it: lines, ratios, JSON and plots. */
package dev.outbox.benchmarks.report;
