package dev.outbox.examples.chaos;

import dev.outbox.examples.chaos.Plan.Fault;
import dev.outbox.examples.chaos.Plan.Turn;
import dev.outbox.examples.chaos.Slot.State;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the plan.
 *
 * <p>Used by one thread.
 */
final class Conductor {
  private static final Duration SHORT_WHILE = Duration.ofMillis(100);
  private static final int LONGEST_AWAY_MILLIS = 3_000;
  private static final int RELAYS_OF_100 = 70;
  private static final int EARLY_OF_100 = 15;

  private final Ground ground;
  private final @Nullable ProxiedBroker broker;
  private final Crew crew;
  private final Agenda agenda;
  private final Journal journal;
  private final Tale tale;

  /** Without a real broker there are no faults of one in the plan. */
  Conductor(
      Ground ground,
      @Nullable ProxiedBroker broker,
      Crew crew,
      Agenda agenda,
      Journal journal,
      Tale tale) {
    this.ground = ground;
    this.broker = broker;
    this.crew = crew;
    this.agenda = agenda;
    this.journal = journal;
    this.tale = tale;
  }

  void carryOut(Plan plan) throws Exception {
    for (Turn turn : plan.turns()) {
      agenda.pass(turn.gap());
      Random dice = new Random(turn.dice());
      crew.look(dice);
      switch (turn.fault()) {
        case KILL -> kill(dice);
        case STOP -> stop(dice);
        case END -> end(dice);
        case CUT -> cut();
        case RESTART -> restart();
        case KILL_BROKER -> killBroker(Objects.requireNonNull(broker), dice);
        case CUT_BROKER -> cutBroker(Objects.requireNonNull(broker), dice);
      }
    }
  }

  private void kill(Random dice) throws Exception {
    Slot victim = await(kind(dice), Slot::isUp, dice);
    String how = victim.state() == State.STOPPED ? ", which stood still" : "";
    crew.kill(victim, dice);
    tale.fault(Fault.KILL, "killed %s%s (SIGKILL)", victim.member().name(), how);
  }

  private void stop(Random dice) throws Exception {
    boolean relay = kind(dice);
    Slot victim = await(relay, Slot::isRunning, dice);
    long lease = RelayProgram.LEASE.toMillis();
    Duration time = Duration.ofMillis(lease + 300 + dice.nextInt((int) lease));
    crew.stop(victim, time);
    tale.fault(Fault.STOP, "stopped %s for %.1f s", victim.member().name(), time.toMillis() / 1e3);
  }

  private void end(Random dice) throws Exception {
    Slot victim = await(true, Slot::isRunning, dice);
    crew.end(victim, dice);
    tale.fault(Fault.END, "told %s to end (SIGTERM)", victim.member().name());
  }

  private static boolean kind(Random dice) {
    return dice.nextInt(100) < RELAYS_OF_100;
  }

  /**
   * A relay, or else a writer, that fits and mostly is already at work; waits until there is one,
   * so that a slow machine does not kill what has done nothing yet.
   */
  private Slot await(boolean relay, Predicate<Slot> fit, Random dice) throws Exception {
    boolean early = dice.nextInt(100) < EARLY_OF_100;
    while (true) {
      boolean writersAreDone = crew.isAt(slot -> !slot.isRelay(), State.DONE);
      Optional<Slot> victim =
          crew.some(
              slot ->
                  fit.test(slot)
                      && slot.isRelay() == (relay || writersAreDone)
                      && (early || slot.member().isAtWork()),
              dice);
      if (victim.isPresent()) {
        return victim.get();
      }
      agenda.pass(SHORT_WHILE);
      crew.look(dice);
    }
  }

  private void cut() throws Exception {
    journal.of(NoteKind.NUISANCE, "database", "all sessions are ended");
    int sessions = ground.endSessions();
    tale.fault(Fault.CUT, "ended %d database sessions", sessions);
  }

  private void restart() {
    if (ground.isRestartable()) {
      journal.of(NoteKind.NUISANCE, "database", "is killed and started again");
      long began = System.nanoTime();
      ground.restart();
      tale.fault(
          Fault.RESTART,
          "killed the database, which answered again after %.1f s",
          (System.nanoTime() - began) / 1e9);
    }
  }

  private void killBroker(ProxiedBroker real, Random dice) throws Exception {
    crew.noteOfRelays(NoteKind.FAULT, "the broker is killed");
    long began = System.nanoTime();
    real.kill();
    agenda.pass(away(dice));
    real.restart();
    crew.noteOfRelays(NoteKind.FAULT, "the broker is back");
    tale.fault(
        Fault.KILL_BROKER,
        "killed %s, which answered again after %.1f s",
        real.name(),
        (System.nanoTime() - began) / 1e9);
  }

  private void cutBroker(ProxiedBroker real, Random dice) throws Exception {
    crew.noteOfRelays(NoteKind.FAULT, "the broker is cut off");
    Duration time = away(dice);
    real.cut();
    agenda.pass(time);
    real.restore();
    crew.noteOfRelays(NoteKind.FAULT, "the broker is reached again");
    tale.fault(Fault.CUT_BROKER, "cut %s off for %.1f s", real.name(), time.toMillis() / 1e3);
  }

  private static Duration away(Random dice) {
    return Duration.ofMillis(dice.nextInt(LONGEST_AWAY_MILLIS));
  }
}
