/**
 * What is compared: one class for each way to get messages from a transaction to a publisher.
 * {@link dev.outbox.benchmarks.contender.Contenders} lists them.
 */
package dev.outbox.benchmarks.contender;
