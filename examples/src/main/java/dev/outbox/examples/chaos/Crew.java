package dev.outbox.examples.chaos;

import dev.outbox.examples.chaos.Slot.State;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * All writer and relay processes. None outlives this JVM.
 *
 * <p>Used by one thread.
 */
final class Crew implements AutoCloseable {
  private static final Duration TO_CLOSE = Duration.ofSeconds(30);

  private final List<Slot> slots = new ArrayList<>();
  private final Builds builds;
  private final Agenda agenda;
  private final Journal journal;
  private final Tale tale;
  private final Thread lastResort = new Thread(this::killAll, "crew-end");

  Crew(Builds builds, Agenda agenda, Journal journal, Tale tale) {
    this.builds = builds;
    this.agenda = agenda;
    this.journal = journal;
    this.tale = tale;
    Runtime.getRuntime().addShutdownHook(lastResort);
  }

  /** Starts a relay or a writer, which is replaced whenever it dies. */
  void add(String name, boolean relay, Brief brief) {
    slots.add(new Slot(name, relay, brief, builds));
  }

  /** Whom a fault may hit. */
  interface Choice {
    boolean takes(Slot slot) throws IOException;
  }

  /** One of those that fit, if there are any, by the dice. */
  Optional<Slot> some(Choice fit, Random dice) throws IOException {
    List<Slot> fitting = new ArrayList<>();
    for (Slot slot : slots) {
      if (fit.takes(slot)) {
        fitting.add(slot);
      }
    }
    return fitting.isEmpty()
        ? Optional.empty()
        : Optional.of(fitting.get(dice.nextInt(fitting.size())));
  }

  /** What is done to all relays that are there. */
  void noteOfRelays(NoteKind noteKind, String what) {
    slots.stream()
        .filter(slot -> slot.isRelay() && slot.member().isAlive())
        .forEach(slot -> journal.of(noteKind, slot.member().name(), what));
  }

  /** SIGKILL, and another one a moment later. */
  void kill(Slot slot, Random dice) {
    slot.member().kill();
    journal.of(
        slot.isRelay() ? NoteKind.FAULT : NoteKind.NUISANCE,
        slot.member().name(),
        "killed (SIGKILL)");
    replace(slot, dice);
  }

  private void replace(Slot slot, Random dice) {
    slot.become(State.EMPTY);
    agenda.after(Slot.vacancy(dice), slot::refill);
  }

  /** SIGSTOP, and SIGCONT when {@code time} has passed. */
  void stop(Slot slot, Duration time) throws Exception {
    Member member = slot.member();
    member.stop();
    journal.of(NoteKind.NUISANCE, member.name(), "stopped (SIGSTOP)");
    slot.become(State.STOPPED);
    agenda.after(time, () -> resume(slot, member));
  }

  private void resume(Slot slot, Member member) throws Exception {
    if (slot.member() == member && slot.state() == State.STOPPED) {
      journal.of(NoteKind.NUISANCE, member.name(), "goes on (SIGCONT)");
      member.resume();
      slot.become(State.RUNNING);
    }
  }

  /** SIGTERM, and another one once it has ended. */
  void end(Slot slot, Random dice) throws Exception {
    journal.of(NoteKind.NUISANCE, slot.member().name(), "told to end (SIGTERM)");
    slot.member().end();
    slot.become(State.ENDING);
    long deadline = System.nanoTime() + TO_CLOSE.toNanos();
    agenda.after(Duration.ZERO, () -> awaitEnd(slot, deadline, dice));
  }

  private void awaitEnd(Slot slot, long deadline, Random dice) {
    Member member = slot.member();
    if (!member.isAlive()) {
      replace(slot, dice);
    } else if (System.nanoTime() - deadline > 0) {
      tale.problem("%s did not close within %s", member.name(), TO_CLOSE);
      kill(slot, dice);
    } else {
      agenda.after(Duration.ofMillis(50), () -> awaitEnd(slot, deadline, dice));
    }
  }

  /** Finds writers that have written all, and processes that have died of themselves. */
  void look(Random dice) {
    for (Slot slot : slots) {
      if (slot.state() == State.RUNNING && !slot.member().isAlive()) {
        int code = slot.member().exitCode();
        if (code == 0 && !slot.isRelay()) {
          slot.become(State.DONE);
        } else {
          tale.problem("%s died of itself, exit code %d", slot.member().name(), code);
          replace(slot, dice);
        }
      }
    }
  }

  /** No process will be killed any more: the writers need not spread their work. */
  void hurry() {
    slots.stream().filter(slot -> slot.state() == State.RUNNING).forEach(Crew::hurry);
  }

  private static void hurry(Slot slot) {
    if (!slot.isRelay()) {
      slot.member().tell("hurry");
    }
  }

  boolean isAt(Predicate<Slot> fit, State state) {
    return slots.stream().filter(fit).allMatch(slot -> slot.state() == state);
  }

  /** Ends all relays with SIGTERM, for good; returns their names when they have closed. */
  List<String> closeRelays() throws Exception {
    List<Member> relays =
        slots.stream().filter(slot -> slot.isRelay() && slot.isUp()).map(Slot::member).toList();
    for (Member relay : relays) {
      relay.end();
    }
    long deadline = System.nanoTime() + TO_CLOSE.toNanos();
    for (Member relay : relays) {
      while (relay.isAlive() && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      if (relay.isAlive()) {
        tale.problem("%s did not close within %s", relay.name(), TO_CLOSE);
      }
    }
    return relays.stream().map(Member::name).toList();
  }

  private void killAll() {
    slots.forEach(slot -> slot.member().kill());
  }

  /** Kills what still lives. */
  @Override
  public void close() {
    killAll();
    Runtime.getRuntime().removeShutdownHook(lastResort);
  }
}
