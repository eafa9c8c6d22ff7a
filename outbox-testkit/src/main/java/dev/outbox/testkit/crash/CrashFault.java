package dev.outbox.testkit.crash;

/** What can happen at a {@link CrashPoint}. */
public enum CrashFault {
  /** The call fails. Before the step nothing has happened; after it, the reply is lost. */
  FAIL,
  /** Who took the step is gone with all its connections, as a killed process is. */
  DROP,
  /** This JVM halts at once, without shutdown hooks. */
  HALT,
  /**
   * The process that took the step is paused for longer than its leases last, while others go on.
   */
  PAUSE,
  /**
   * The store goes back by a moment, as when an asynchronous standby is promoted: what was
   * committed in it is gone, ids are given again, and all sessions are cut. See {@link
   * TestWorld#remember}.
   */
  GO_BACK
}
