package dev.outbox.jdbc;

import dev.outbox.servers.Database;
import dev.outbox.testkit.crash.Step;
import java.util.Random;
import java.util.function.Predicate;

/**
 * The steps that are struck: on H2 all; on a server, which takes its time for each run, one of so
 * many ({@code -Doutbox.steps}, 1 for all), others in every build. Stateless.
 */
final class SomeSteps {
  private static final int ONE_OF = Integer.getInteger("outbox.steps", 6);
  private static final int PLACE = new Random().nextInt(ONE_OF);

  private SomeSteps() {}

  static boolean areAll() {
    return ONE_OF == 1;
  }

  static Predicate<Step> on(Database database) {
    return step -> database == Database.H2 || step.number() % ONE_OF == PLACE;
  }

  /** Which they are, for the build's output. */
  static String told(Database database) {
    return database == Database.H2 || areAll()
        ? "every step"
        : "every step whose number leaves %d by %d".formatted(PLACE, ONE_OF);
  }
}
