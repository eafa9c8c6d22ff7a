package dev.outbox.store;

/** Why a message was moved to the parked table. */
public enum HoldReason {
  /** Its own attempt failed. */
  FAILED,
  /** A message before it in its key is parked. */
  FOLLOWER
}
