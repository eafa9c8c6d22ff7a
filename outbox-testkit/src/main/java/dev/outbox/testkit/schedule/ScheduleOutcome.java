package dev.outbox.testkit.schedule;

import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.history.Violation;
import dev.outbox.testkit.internal.schedule.Plan;
import java.util.List;
import java.util.Optional;

/**
 * What came of one schedule.
 *
 * <p>Immutable.
 */
public final class ScheduleOutcome {
  private final long seed;
  private final Plan plan;
  private final Verdict verdict;
  private final Coverage coverage;
  private final Story story;

  ScheduleOutcome(long seed, Plan plan, Verdict verdict, Coverage coverage, Story story) {
    this.seed = seed;
    this.plan = plan;
    this.verdict = verdict;
    this.coverage = coverage;
    this.story = story;
  }

  /** What it was made from. */
  public long seed() {
    return seed;
  }

  public Verdict verdict() {
    return verdict;
  }

  public boolean passes() {
    return verdict.passes();
  }

  /** The kind of the first violation, if there is one. */
  public Optional<Violation.Kind> kind() {
    return verdict.violations().stream().map(Violation::kind).findFirst();
  }

  /** How many decisions it has. */
  public int length() {
    return plan.decisions().size();
  }

  /** What happened in it, and how often. */
  public Coverage coverage() {
    return coverage;
  }

  /** All notes, in order. */
  public List<Note> notes() {
    return story.notes();
  }

  /** What was decided and what came of it, in words. */
  public String story() {
    return story.tell(verdict);
  }

  Plan plan() {
    return plan;
  }

  /** The verdict, and the story when it is a bad one. */
  @Override
  public String toString() {
    return passes()
        ? "seed %d: %s".formatted(seed, verdict.summary())
        : "seed %d, %d decisions (repeat it with -D%s=%d): %s%n%s"
            .formatted(seed, length(), Schedules.SEED, seed, verdict.summary(), story());
  }
}
