package dev.outbox.jdbc.failover;

import dev.outbox.jdbc.failover.Plan.Way;
import dev.outbox.jdbc.proof.Proof;
import dev.outbox.servers.Database;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A standby of PostgreSQL is promoted while messages are in flight: what is written there later is
 * published, whatever ids it gets. See issue 17.
 */
final class PromotionTest {
  /** A sequence goes on up to 32 above what the standby had. */
  private static final int MORE_THAN_A_SEQUENCE_SKIPS = 120;

  @TestFactory
  Stream<DynamicTest> a_promotion_loses_nothing_that_is_written_after_it() {
    return Proof.together(
        new Database[] {Database.POSTGRES},
        (database, random) -> {
          try (Pair pair = new Pair();
              Repetitions repetitions = new Repetitions(random)) {
            for (Promotion promotion : Promotion.values()) {
              for (Way way : repetitions.ways()) {
                Plan plan = Plan.of(way).inFlight(MORE_THAN_A_SEQUENCE_SKIPS);
                repetitions.requireNothingStuck(
                    repetitions.play(
                        promotion + " standby promoted",
                        plan,
                        (each, dice) -> once(promotion, pair, each, dice)));
              }
            }
          }
        });
  }

  private static Account once(Promotion promotion, Pair pair, Plan plan, Random random)
      throws Exception {
    pair.begin(promotion == Promotion.SYNCHRONOUS);
    Line line = new Line(pair.url(), pair.user(), pair.password());
    try (Site site = new Site(line, plan, random)) {
      return site.suffer(promotion.of(pair));
    }
  }
}
