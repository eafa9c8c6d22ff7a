package dev.outbox.examples.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What is done to whom and when, all of it decided by the seed before anything starts.
 *
 * <p>Immutable.
 */
record Plan(List<Turn> turns) {
  private static final int SHORTEST_GAP_MILLIS = 300;
  private static final int LONGEST_GAP_MILLIS = 3_000;
  private static final double STOPS_PER_KILL = 0.25;
  private static final double ENDS_PER_KILL = 0.2;
  private static final double CUTS_PER_KILL = 0.125;
  private static final double RESTARTS_PER_KILL = 0.05;
  private static final double OF_BROKER_PER_KILL = 0.1;

  /** What can be done. */
  enum Fault {
    /** SIGKILL of a process. */
    KILL,
    /** SIGSTOP of a process for longer than a lease, then SIGCONT. */
    STOP,
    /** SIGTERM of a relay. */
    END,
    /** The sessions of all processes are ended. */
    CUT,
    /** The database is killed and started again. */
    RESTART,
    /** The broker is killed and, a while later, started again. */
    KILL_BROKER,
    /** The connections to the broker are cut, and for a while there are no new ones. */
    CUT_BROKER
  }

  /** After {@code gap}, one thing; {@code dice} chooses whom it hits and how long it lasts. */
  record Turn(Duration gap, Fault fault, long dice) {}

  Plan {
    turns = List.copyOf(turns);
  }

  /** That many kills among the other faults, those of a real broker if there is one. */
  static Plan of(int kills, boolean hasRealBroker, Random random) {
    List<Fault> faults = new ArrayList<>(Collections.nCopies(kills, Fault.KILL));
    faults.addAll(Collections.nCopies(share(kills, STOPS_PER_KILL), Fault.STOP));
    faults.addAll(Collections.nCopies(share(kills, ENDS_PER_KILL), Fault.END));
    faults.addAll(Collections.nCopies(share(kills, CUTS_PER_KILL), Fault.CUT));
    faults.addAll(Collections.nCopies(share(kills, RESTARTS_PER_KILL), Fault.RESTART));
    if (hasRealBroker) {
      faults.addAll(Collections.nCopies(share(kills, OF_BROKER_PER_KILL), Fault.KILL_BROKER));
      faults.addAll(Collections.nCopies(share(kills, OF_BROKER_PER_KILL), Fault.CUT_BROKER));
    }
    Collections.shuffle(faults, random);
    return new Plan(
        faults.stream().map(fault -> new Turn(gap(random), fault, random.nextLong())).toList());
  }

  private static int share(int kills, double perKill) {
    return (int) Math.ceil(kills * perKill);
  }

  private static Duration gap(Random random) {
    return Duration.ofMillis(random.nextInt(SHORTEST_GAP_MILLIS, LONGEST_GAP_MILLIS + 1));
  }

  /** How long it takes at least. */
  Duration length() {
    return turns.stream().map(Turn::gap).reduce(Duration.ZERO, Duration::plus);
  }
}
