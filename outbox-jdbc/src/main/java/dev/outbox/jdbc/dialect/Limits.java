package dev.outbox.jdbc.dialect;

import java.time.Duration;

/**
 * How long a session of ours may wait for a lock, rest inside a transaction, run one statement, and
 * wait for the network.
 *
 * <p>Immutable.
 */
public record Limits(Duration lockWait, Duration idle, Duration statement, Duration network) {
  private static final Duration MARGIN = Duration.ofSeconds(10);

  /** Below the lease, so that a stuck session ends before its lanes are given to another relay. */
  public static Limits below(Duration lease) {
    return new Limits(
        lease.dividedBy(4),
        lease.multipliedBy(2).dividedBy(3),
        lease.multipliedBy(2).dividedBy(3),
        lease.multipliedBy(3).dividedBy(4));
  }

  /** Above the longest claim, whose transaction is idle while its messages are published. */
  public static Limits above(Duration longestClaim) {
    Duration rest = longestClaim.plus(MARGIN);
    return new Limits(Duration.ofSeconds(5), rest, rest, rest);
  }
}
