package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.lane.LaneClaim;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether lanes may be under this relay's name that it does not know of: a claim was sent and had
 * no answer.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Such lanes would lie idle until their lease is over, so the relay asks for them. The answer does not end the doubt: a
 * session whose end the database has not noticed may write its claim later, unseen until then. A claim written more
 * than a lease after it was sent is not to be expected, because every session of ours ends before that; so an answer to
 * a question that was asked later than that is the last.
 */
final class UnansweredClaims {
  private final Duration lease;
  private Ticker.@Nullable Moment since;
  private boolean due;

  UnansweredClaims(Duration lease) {
    this.lease = lease;
  }

  /** Makes a claim at {@code now}; it is in doubt until the answer is there. */
  List<LaneClaim> during(Ticker.Moment now, Supplier<List<LaneClaim>> claim) {
    Ticker.Moment before = since;
    since = now;
    due = true;
    List<LaneClaim> answer = claim.get();
    since = before;
    due = false;
    return answer;
  }

  /** As {@link #during}, for the question what earlier claims have taken. */
  List<LaneClaim> resolve(Ticker.Moment now, Supplier<List<LaneClaim>> question) {
    List<LaneClaim> answer = during(now, question);
    if (since != null && now.surelySince(since).compareTo(lease) >= 0) {
      since = null;
    }
    return answer;
  }

  /** What is in doubt is to be asked again. */
  void renew() {
    due = since != null;
  }

  /** True while something is in doubt. */
  boolean isOpen() {
    return since != null;
  }

  /** True when the question is to be asked now. */
  boolean isDue() {
    return due;
  }
}
