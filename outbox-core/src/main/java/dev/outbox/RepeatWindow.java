package dev.outbox;

import dev.outbox.publish.Offer;
import dev.outbox.store.Finding;
import java.time.Duration;
import java.util.Optional;

/**
 * How long after its first send a message may come again because its relay died: as long as the
 * dead one could go on sending, and its lease or session goes on without it.
 *
 * <p>Immutable. A retry after a failure, or an outage of the database, may take longer still.
 */
record RepeatWindow(Duration after, String why) {
  /** A session that rests past its deadline is ended so much later. */
  private static final Duration SESSION_MARGIN = Duration.ofSeconds(10);

  static RepeatWindow byLanes(Duration lease, Duration renewal, Duration publishDeadline) {
    return new RepeatWindow(
        lease.plus(renewal).plus(publishDeadline),
        "lease %s + renewal %s + publishDeadline %s".formatted(lease, renewal, publishDeadline));
  }

  static RepeatWindow byRows(Duration publishDeadline) {
    return new RepeatWindow(
        publishDeadline.plus(SESSION_MARGIN),
        "publishDeadline %s + %s".formatted(publishDeadline, SESSION_MARGIN));
  }

  /** That the broker forgets ids sooner than they may come again. */
  Optional<Finding> warning(Offer offer) {
    Duration window = offer.dedupeWindow();
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
