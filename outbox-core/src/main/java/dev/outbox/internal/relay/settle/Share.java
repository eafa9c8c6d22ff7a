package dev.outbox.internal.relay;

/** How many lanes a relay should own. */
enum Share {
  /** As many as every other relay that shares. */
  FAIR,
  /** One to probe with, while every broker is away, if others are better off. */
  ONE,
  /** None: it cannot publish anything. */
  NONE
}
