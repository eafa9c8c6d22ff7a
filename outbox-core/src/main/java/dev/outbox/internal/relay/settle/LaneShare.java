package dev.outbox.internal.relay.settle;

/** How many lanes a relay should own. */
public enum LaneShare {
  /** As many as every other relay that shares. */
  FAIR,
  /** One to probe with, while every broker is down, if others are better off. */
  ONE,
  /** None: it cannot publish anything. */
  NONE
}
