package dev.outbox.message.broken;

import dev.outbox.publish.Ack;

/** Breaks the flow on purpose: what travels knows who sends. */
final class Upwards {
  final Ack ack = Ack.delivered();
}
