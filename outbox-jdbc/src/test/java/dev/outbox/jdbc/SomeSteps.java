package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.testkit.crash.Step;
import java.util.Random;
import java.util.function.Predicate;

/**
 * The steps that are struck: one of that many ({@code -Doutbox.steps}, 1 for all), others in every
 * build; on H2, where a run takes little time, four times as many. Stateless.
 */
final class SomeSteps {
  private static final int ONE_OF = Integer.getInteger("outbox.steps", 48);
  private static final int PLACE = new Random().nextInt(ONE_OF);

  private SomeSteps() {}

  static boolean areAll() {
    return ONE_OF == 1;
  }

  static Predicate<Step> on(Database database) {
    return step -> step.number() % oneOf(database) == PLACE % oneOf(database);
  }

  private static int oneOf(Database database) {
    return database == Database.H2 ? Math.max(1, ONE_OF / 4) : ONE_OF;
  }

  /** Which they are, for the build's output. */
  static String told(Database database) {
    return areAll()
        ? "every step"
        : "every step whose number leaves %d by %d"
            .formatted(PLACE % oneOf(database), oneOf(database));
  }
}
