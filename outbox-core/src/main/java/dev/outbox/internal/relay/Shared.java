package dev.outbox.internal.relay;

/**
 * What the workers of one relay have in common.
 *
 * <p>Safe for use by many threads.
 */
public final class Shared {
  final TopicGates gates = new TopicGates();
  final Tally tally = new Tally();
}
