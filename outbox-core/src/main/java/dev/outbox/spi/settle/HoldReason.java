package dev.outbox.spi.settle;

/** Why a message was moved to the parked table. */
public enum HoldReason {
  /** Its own attempt failed. */
  FAILED,
  /** A message before it in its key is parked. */
  FOLLOWER,
  /**
   * Its topic is paused, at its limit, or its broker is down: it waits until the topic's hold ends.
   */
  TOPIC
}
