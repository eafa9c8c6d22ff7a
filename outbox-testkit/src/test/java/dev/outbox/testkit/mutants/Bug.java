package dev.outbox.testkit.mutants;

/** What is wrong with a {@link NaiveRelay}. */
enum Bug {
  NONE,
  /** Writes the end of the whole batch when the first half of it has been published. */
  COMMIT_IN_MID_BATCH,
  /** Forgets what was delivered when another of the batch was not. */
  WHOLE_BATCH_ROLLBACK,
  /** Leaves a failed message where it is for a while and goes on with its key. */
  RETRY_OVERTAKES,
  /** Does not ask whether its lease is still sure. */
  LATE_PUBLISH,
  /** Parks what failed and publishes what comes behind it. */
  PARK_FORGETS_FOLLOWERS,
  /** Publishes all of a key at once by a publisher that promises no order. */
  TWO_OF_A_KEY,
  /** Writes that messages were delivered, then sends them. */
  DELETE_BEFORE_CONFIRM
}
