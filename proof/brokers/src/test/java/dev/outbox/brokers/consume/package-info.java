/** The consumer's half: four ways to receive, and the proof that an effect happens once. */
package dev.outbox.brokers.consume;
