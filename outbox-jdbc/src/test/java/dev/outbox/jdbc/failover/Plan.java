package dev.outbox.jdbc.failover;

import dev.outbox.Claiming;
import dev.outbox.jdbc.failover.Broker.Answer;
import java.util.List;
import java.util.Random;

/**
 * How tables are made, and how many messages there are before a loss and in flight while it
 * happens. Those in flight are answered at random one of {@code answers}. Where ids are {@link
 * Special#IDS_TAKEN}, delivered messages are archived, and messages before and after the loss are
 * answered so too: parked, dead and archived ones have the ids that are given again.
 *
 * <p>Immutable.
 */
record Plan(Way way, int before, int air, List<Answer> answers, Special special) {
  static final List<Answer> MIXED =
      List.of(Answer.DELIVERED, Answer.DELIVERED, Answer.FAILED, Answer.REJECTED);

  /** What is not as in most plans. */
  enum Special {
    NOTHING,
    ONE_KEY,
    MIXED_ANSWERS,
    IDS_TAKEN
  }

  /** How messages are claimed. */
  enum Way {
    ONE_LANE(Claiming.LANES, 1),
    MANY_LANES(Claiming.LANES, 32),
    ROWS(Claiming.ROWS, 1);

    private final Claiming claiming;
    private final int lanes;

    Way(Claiming claiming, int lanes) {
      this.claiming = claiming;
      this.lanes = lanes;
    }

    Claiming claiming() {
      return claiming;
    }

    int lanes() {
      return lanes;
    }
  }

  static Plan of(Way way) {
    return new Plan(way, 8, 20, List.of(Answer.DELIVERED), Special.NOTHING);
  }

  /** The smallest: one message is in flight, and all are of its key. */
  static Plan ofOne(Way way, Answer answer) {
    return new Plan(way, 8, 1, List.of(answer), Special.ONE_KEY);
  }

  Plan inFlight(int messages) {
    return new Plan(way, before, messages, answers, special);
  }

  Plan withMixedAnswers() {
    return new Plan(way, before, air, MIXED, Special.MIXED_ANSWERS);
  }

  Plan withIdsTaken() {
    return new Plan(way, before, air, MIXED, Special.IDS_TAKEN);
  }

  /** The plan of most repetitions. */
  boolean isPlain() {
    return !isByRows() && (special == Special.NOTHING || special == Special.ONE_KEY);
  }

  boolean taken() {
    return special == Special.IDS_TAKEN;
  }

  /** How many keys messages have; row claims know none. */
  int keys(Random random) {
    if (isByRows()) {
      return 0;
    }
    return special == Special.ONE_KEY ? 1 : 2 + random.nextInt(3);
  }

  /** Enough to come to the ids that were given before. */
  int after() {
    return before + air + 10;
  }

  List<Answer> answersElse() {
    return taken() ? MIXED : List.of(Answer.DELIVERED);
  }

  /** The keys of what is in flight, which nothing that failed before may hold. */
  String familyInFlight() {
    return taken() ? "air" : "k";
  }

  boolean isByRows() {
    return way == Way.ROWS;
  }
}
