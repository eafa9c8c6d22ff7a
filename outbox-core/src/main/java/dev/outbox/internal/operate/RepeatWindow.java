package dev.outbox.internal.operate;

import dev.outbox.OutboxException.Finding;
import dev.outbox.publish.BrokerGuarantees;
import java.time.Duration;
import java.util.Optional;

/**
 * How long after its first send a message may come again because its relay died: as long as the
 * dead one could go on sending, and its lease or session goes on without it.
 *
 * <p>Immutable. A retry after a failure, or an outage of the database, may take longer still.
 */
public record RepeatWindow(Duration after, String why) {
  /** A session that waits past its deadline is ended that much later. */
  private static final Duration SESSION_MARGIN = Duration.ofSeconds(10);

  public static RepeatWindow byLanes(Duration lease, Duration renewal, Duration publishDeadline) {
    return new RepeatWindow(
        lease.plus(renewal).plus(publishDeadline),
        "lease %s + renewal %s + publishDeadline %s".formatted(lease, renewal, publishDeadline));
  }

  public static RepeatWindow byRows(Duration publishDeadline) {
    return new RepeatWindow(
        publishDeadline.plus(SESSION_MARGIN),
        "publishDeadline %s + %s".formatted(publishDeadline, SESSION_MARGIN));
  }

  /**
   * Up to how many messages a second the broker's memory of ids lasts; empty when it has no count.
   */
  public Optional<String> lastsUpTo(BrokerGuarantees brokerGuarantees) {
    Integer count = brokerGuarantees.dedupeCount();
    return count == null
        ? Optional.empty()
        : Optional.of(
            "the last %d ids are enough for a takeover (%s, %s) up to %d messages a second"
                .formatted(count, after, why, count / Math.max(1, after.toSeconds())));
  }

  /** That the broker forgets ids sooner than they may come again. */
  public Optional<Finding> warning(BrokerGuarantees brokerGuarantees) {
    Duration window = brokerGuarantees.dedupeWindow();
    if (window == null || window.compareTo(after) >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Finding(
            Finding.Severity.WARNING,
            "dedupe-window",
            "the publisher's broker drops repeats for %s only, but after a takeover they may come %s later (%s); widen the window, or shorten those"
                .formatted(window, after, why)));
  }
}
