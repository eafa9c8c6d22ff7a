package dev.outbox.testkit;

import java.util.List;

/**
 * What came of a plan: how many messages were written, how often one was published more than once
 * and at most, how many were taken over, how many from one lane by two, and what went wrong.
 */
record ClusterOutcome(
    ClusterPlan plan,
    int messages,
    int repeats,
    int most,
    int takeovers,
    int twice,
    List<String> wrong) {
  boolean passes() {
    return wrong.isEmpty();
  }

  @Override
  public String toString() {
    return "%s: %d messages, %d repeats, %d taken over%n  %s"
        .formatted(plan, messages, repeats, takeovers, String.join("\n  ", wrong));
  }
}
