package dev.outbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What happens to several clusters, tick by tick, decided by a seed before anything runs. */
record ClusterPlan(
    long seed,
    int clusters,
    List<Integer> skew,
    List<Trouble> troubles,
    List<Write> writes,
    int ticks) {
  /** The maximum delay, in ticks of a second. */
  static final int DELAY = 5;

  private static final int TICKS = 140;
  private static final int MOST_LAG = 5 * DELAY;
  private static final int MOST_SKEW = 2;

  /** What there is to go wrong. */
  enum Kind {
    /** What {@code a} writes comes to {@code b} later by {@code value} ticks. */
    LAG,
    /** Nothing of {@code a} comes to {@code b}. */
    CUT,
    /** The database and relay of {@code a} are killed. */
    KILL,
    /** The relay of {@code a} stands still. */
    STALL,
    /** The relay of {@code a} is killed. */
    RELAY,
    /** The broker of {@code a} refuses. */
    BROKER,
    /** {@code a} hands over, and comes back at the end. */
    LEAVE
  }

  /** From one tick until another. */
  record Trouble(Kind kind, int from, int until, int a, int b, int value) {
    boolean isAt(int tick) {
      return from <= tick && tick < until;
    }
  }

  record Write(int tick, int cluster, int key, int delay) {}

  /** Groups of plans, by what they suffer from. */
  enum Theme {
    LAG_THAT_STAYS,
    LAG_THAT_CHANGES,
    ONE_KILLED,
    ONE_CUT_OFF,
    ONE_LINK_CUT,
    RELAYS_STAND_STILL,
    HANDOVERS,
    TWO_HAND_OVER,
    EVERYTHING
  }

  static ClusterPlan of(long seed, Theme theme) {
    SplittableRandom random = new SplittableRandom(seed * 31 + theme.name().hashCode());
    int clusters = clusters(random, theme);
    List<Integer> skew = new ArrayList<>();
    for (int i = 0; i < clusters; i++) {
      skew.add(random.nextInt(-MOST_SKEW, MOST_SKEW + 1));
    }
    List<Trouble> troubles = new ArrayList<>();
    Composer composer = new Composer(random, clusters, troubles);
    composer.add(theme);
    List<Write> writes = new ArrayList<>();
    int rate = random.nextInt(4, 12);
    for (int tick = 3 * DELAY; tick < TICKS; tick++) {
      if (random.nextInt(rate) < 3) {
        int delay = random.nextInt(8) == 0 ? random.nextInt(1, 30) : 0;
        writes.add(new Write(tick, random.nextInt(clusters), random.nextInt(4), delay));
      }
    }
    return new ClusterPlan(seed, clusters, skew, troubles, writes, TICKS);
  }

  private static int clusters(SplittableRandom random, Theme theme) {
    return switch (theme) {
      case EVERYTHING -> random.nextInt(4) == 0 ? 2 + 2 * random.nextInt(2) : 3;
      case TWO_HAND_OVER -> random.nextInt(3, 5);
      default -> 3;
    };
  }

  /**
   * The relay of 0 is down for long, that of one of the others begins again now and then. What 0
   * writes may come to one sooner than to the other, but by less than the maximum delay.
   */
  static ClusterPlan restarts(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Trouble> troubles = new ArrayList<>();
    Composer composer = new Composer(random, 3, troubles);
    composer.eachLink(
        (a, b) -> composer.lag(0, Integer.MAX_VALUE, a, b, random.nextInt(a == 0 ? DELAY : 2)));
    troubles.add(new Trouble(Kind.RELAY, 30, 90, 0, 0, 0));
    int young = random.nextInt(1, 3);
    for (int tick = 40; tick < 90; tick += random.nextInt(DELAY + 1, 3 * DELAY)) {
      troubles.add(new Trouble(Kind.RELAY, tick, tick + 1, young, 0, 0));
    }
    List<Write> writes = new ArrayList<>();
    for (int tick = 3 * DELAY; tick < 100; tick++) {
      writes.add(new Write(tick, 0, random.nextInt(4), 0));
    }
    return new ClusterPlan(seed, 3, List.of(0, 0, 0), troubles, writes, TICKS);
  }

  private record Composer(SplittableRandom random, int clusters, List<Trouble> troubles) {
    void add(Theme theme) {
      switch (theme) {
        case LAG_THAT_STAYS -> lagsThatStay();
        case LAG_THAT_CHANGES -> lagsThatChange();
        case ONE_KILLED -> {
          smallLags();
          add(Kind.BROKER, 40, 50, 0, 0);
          troubles.add(new Trouble(Kind.KILL, 48, random.nextInt(60, 130), 0, 0, 0));
        }
        case ONE_CUT_OFF -> {
          smallLags();
          cutOff(0, random.nextInt(30, 60), random.nextInt(70, 130));
        }
        case ONE_LINK_CUT -> {
          smallLags();
          int from = random.nextInt(20, 60);
          int until = random.nextInt(70, 130);
          add(Kind.BROKER, from - DELAY, from + 3 * DELAY, 0, 0);
          troubles.add(new Trouble(Kind.CUT, from, until, 0, 1, 0));
          troubles.add(new Trouble(Kind.CUT, from, random.nextBoolean() ? from : until, 1, 0, 0));
        }
        case RELAYS_STAND_STILL -> {
          smallLags();
          for (int i = 0; i < 3; i++) {
            some(random.nextBoolean() ? Kind.STALL : Kind.RELAY, DELAY / 2, 6 * DELAY);
          }
        }
        case HANDOVERS -> {
          smallLags();
          int from = random.nextInt(20, 70);
          add(Kind.LEAVE, from, from + random.nextInt(10, 60), random.nextInt(clusters), 0);
        }
        case TWO_HAND_OVER -> {
          smallLags();
          twoHandOver();
        }
        case EVERYTHING -> everything();
      }
    }

    /** One is back while the other is down. */
    private void twoHandOver() {
      int a = random.nextInt(clusters);
      int b = (a + random.nextInt(1, clusters)) % clusters;
      int from = random.nextInt(20, 50);
      int back = from + random.nextInt(15, 40);
      add(Kind.LEAVE, from, back + random.nextInt(10, 50), a, 0);
      add(Kind.LEAVE, from + random.nextInt(-5, 10), back, b, 0);
    }

    private void add(Kind kind, int from, int until, int a, int value) {
      troubles.add(new Trouble(kind, from, until, a, 0, value));
    }

    private void lagsThatStay() {
      eachLink((a, b) -> lag(0, Integer.MAX_VALUE, a, b, random.nextInt(MOST_LAG + 1)));
    }

    private void smallLags() {
      eachLink((a, b) -> lag(0, Integer.MAX_VALUE, a, b, random.nextInt(3)));
    }

    private void lagsThatChange() {
      eachLink(
          (a, b) -> {
            for (int tick = 0; tick < TICKS; ) {
              int until = tick + random.nextInt(5, 50);
              lag(tick, until, a, b, random.nextInt(MOST_LAG + 1));
              tick = until;
            }
          });
    }

    private void lag(int from, int until, int a, int b, int ticks) {
      troubles.add(new Trouble(Kind.LAG, from, until, a, b, ticks));
    }

    private void cutOff(int cluster, int from, int until) {
      for (int other = 0; other < clusters; other++) {
        if (other != cluster) {
          troubles.add(new Trouble(Kind.CUT, from, until, cluster, other, 0));
          troubles.add(new Trouble(Kind.CUT, from, until, other, cluster, 0));
        }
      }
    }

    private void some(Kind kind, int shortest, int longest) {
      int from = random.nextInt(15, TICKS - 20);
      int until = from + random.nextInt(shortest, longest);
      int a = random.nextInt(clusters);
      troubles.add(new Trouble(kind, from, until, a, (a + 1) % clusters, 0));
    }

    private void everything() {
      if (random.nextBoolean()) {
        lagsThatChange();
      } else {
        smallLags();
      }
      for (int i = random.nextInt(1, 5); i > 0; i--) {
        switch (random.nextInt(8)) {
          case 0, 1 -> some(Kind.KILL, 2, 12 * DELAY);
          case 2 -> some(Kind.STALL, 2, 8 * DELAY);
          case 3 -> some(Kind.RELAY, 2, 8 * DELAY);
          case 4 -> some(Kind.CUT, 2, 12 * DELAY);
          case 5 -> {
            int from = random.nextInt(15, TICKS - 20);
            cutOff(random.nextInt(clusters), from, from + random.nextInt(2, 12 * DELAY));
          }
          case 6 -> some(Kind.BROKER, 2, 8 * DELAY);
          default -> some(Kind.LEAVE, 5, 10 * DELAY);
        }
      }
    }

    private interface ForLink {
      void add(int a, int b);
    }

    private void eachLink(ForLink adding) {
      for (int a = 0; a < clusters; a++) {
        for (int b = 0; b < clusters; b++) {
          if (a != b) {
            adding.add(a, b);
          }
        }
      }
    }
  }

  /** How many relays each cluster has: two in every fourth plan. */
  int relays() {
    return seed % 4 == 3 ? 2 : 1;
  }

  boolean is(Kind kind, int tick, int a) {
    for (Trouble each : troubles) {
      if (each.kind() == kind && each.a() == a && each.isAt(tick)) {
        return true;
      }
    }
    return false;
  }

  boolean isCut(int tick, int a, int b) {
    return find(Kind.CUT, tick, a, b) != null;
  }

  /** None any more once the plan is over. */
  int lag(int tick, int a, int b) {
    Trouble lag = tick < ticks ? find(Kind.LAG, tick, a, b) : null;
    return lag == null ? 0 : lag.value();
  }

  private @Nullable Trouble find(Kind kind, int tick, int a, int b) {
    for (Trouble each : troubles) {
      if (each.kind() == kind && each.a() == a && each.b() == b && each.isAt(tick)) {
        return each;
      }
    }
    return null;
  }

  List<Write> writesAt(int tick, int cluster) {
    List<Write> found = new ArrayList<>();
    for (Write write : writes) {
      if (write.tick() == tick && write.cluster() == cluster) {
        found.add(write);
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return "seed=%d, %d clusters, skew=%s, %s".formatted(seed, clusters, skew, troubles);
  }
}
