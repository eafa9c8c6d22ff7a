package dev.outbox.testkit.internal.schedule;

import java.util.List;

/**
 * A schedule in full: how many lanes, how many messages of a lane in one read, which places have
 * publishers that answer later (a bit for each), and what is decided.
 *
 * <p>Immutable.
 */
public record Plan(int lanes, int batch, int answeringLater, List<Decision> decisions) {
  public Plan {
    decisions = List.copyOf(decisions);
  }

  public Plan with(List<Decision> others) {
    return new Plan(lanes, batch, answeringLater, others);
  }

  boolean answersLater(int place) {
    return (answeringLater >> place & 1) == 1;
  }
}
