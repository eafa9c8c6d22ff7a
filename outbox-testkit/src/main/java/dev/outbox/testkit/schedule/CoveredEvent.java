package dev.outbox.testkit.schedule;

/** What can happen in a schedule; how often it did says what schedules have covered. */
public enum CoveredEvent {
  /** A transaction committed after a later one had been published. */
  LATE_COMMIT,
  /** A writer rolled back. */
  ROLL_BACK,
  /** A relay was dropped between two of its steps. */
  KILL,
  /** A relay was dropped at a step. */
  DROP,
  /** A relay stood still at a step while others went on. */
  PAUSE,
  /** A relay was paused for so long that its leases ran out. */
  STANDSTILL,
  /** A call to the store failed, or its reply was lost. */
  FAILED_CALL,
  /** A lane was taken from a relay that had not released it. */
  TAKEOVER,
  /** A relay heard that a lane is another's. */
  FENCED,
  /** The broker had a message, and its sender did not hear so. */
  LOST_CONFIRM,
  /** The broker had a message twice from one send. */
  TWICE,
  /** The broker refused a message, or was down. */
  REFUSED,
  /** A flight was over before a message in it was answered. */
  UNANSWERED,
  /** An answer came at a later step than its flight. */
  LATER_ANSWER,
  /** A message arrived again. */
  REPEAT,
  /** A message was parked. */
  PARKED,
  /** A message died. */
  DEAD,
  /** A message died of the relays that died of it. */
  DEAD_BY_CRASH,
  /** Dead letters were replayed. */
  REPLAY,
  /** A relay closed. */
  CLOSE,
  /** A relay joined. */
  JOIN,
  /** A clock was set. */
  CLOCK_SET,
  /** A topic was paused, limited or made strict. */
  TOPIC_SET,
  /** The store went back in time by a moment. */
  WENT_BACK
}
