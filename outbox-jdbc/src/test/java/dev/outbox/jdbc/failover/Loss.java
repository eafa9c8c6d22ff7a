package dev.outbox.jdbc.failover;

import java.time.Duration;

/** How a database comes to be without what it had last. Used by one thread. */
interface Loss {
  /** While nothing is in flight: what is written after this will be lost. */
  void prepare(Site site) throws Exception;

  /** While what was written since is in flight. */
  void happen(Site site) throws Exception;

  /** How long it may take until nothing is left to publish, on a machine that is busy. */
  default Duration draining() {
    return Duration.ofSeconds(20);
  }
}
