package dev.outbox.testkit.internal.schedule.compose;

import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.internal.schedule.Decision;
import dev.outbox.testkit.internal.schedule.RelayDecision;
import dev.outbox.testkit.schedule.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Lets the store go back in a schedule that is composed: once or a few times, by a few decisions or
 * by many, between two decisions or at a step of a relay. By chance of its own, so that the same
 * seed without it is the same schedule.
 *
 * <p>Used by one thread.
 */
final class Setbacks {
  private static final long ANOTHER_CHANCE = 0x5e7bac4L;
  private static final int MOST = 3;

  private final SplittableRandom random;
  private final Settings settings;

  Setbacks(long seed, Settings settings) {
    this.random = new SplittableRandom(seed ^ ANOTHER_CHANCE);
    this.settings = settings;
  }

  List<Decision> among(List<Decision> decisions) {
    List<Decision> all = new ArrayList<>(decisions);
    int times = random.nextInt(1, MOST + 1);
    for (int time = 0; time < times; time++) {
      int from = random.nextInt(all.size());
      int by = random.nextBoolean() ? random.nextInt(1, 8) : random.nextInt(8, 40);
      all.add(Math.min(from + by, all.size()), setback());
      all.add(from, new Decision.Remember());
    }
    return all;
  }

  private Decision setback() {
    if (random.nextBoolean()) {
      return new Decision.GoBack();
    }
    List<CrashPoint> points = Composer.points(settings);
    return new RelayDecision.Ambush(
        random.nextInt(settings.relays()),
        points.get(random.nextInt(points.size())),
        random.nextBoolean() ? Step.Side.BEFORE : Step.Side.AFTER,
        RelayDecision.Ambush.Deed.GO_BACK);
  }
}
