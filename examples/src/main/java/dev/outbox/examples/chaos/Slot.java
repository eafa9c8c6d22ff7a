package dev.outbox.examples.chaos;

import java.time.Duration;
import java.util.Random;

/**
 * A place for a relay or a writer that is filled by one process after another.
 *
 * <p>Used by one thread.
 */
final class Slot {
  private final String name;
  private final boolean relay;
  private final Brief brief;
  private final Builds builds;
  private final Random seeds;
  private int generation;
  private Member member;
  private State state;

  /** How the process in it is. */
  enum State {
    RUNNING,
    STOPPED,
    /** Told to end. */
    ENDING,
    /** Dead, to be replaced. */
    EMPTY,
    /** A writer that has written its share. */
    DONE
  }

  Slot(String name, boolean relay, Brief brief, Builds builds) {
    this.name = name;
    this.relay = relay;
    this.brief = brief.with("slot", name);
    this.builds = builds;
    this.seeds = new Random(brief.number("seed") + name.hashCode());
    this.member = launch();
    this.state = State.RUNNING;
  }

  private Member launch() {
    generation++;
    Class<?> program = relay ? RelayProgram.class : WriterProgram.class;
    return Member.start(
        program,
        builds.classPath(generation),
        builds.name(name, generation),
        brief.with("seed", seeds.nextLong()));
  }

  /** Fills the empty place. */
  void refill() {
    member = launch();
    state = State.RUNNING;
  }

  boolean isRelay() {
    return relay;
  }

  Member member() {
    return member;
  }

  State state() {
    return state;
  }

  void become(State next) {
    state = next;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean isUp() {
    return state == State.RUNNING || state == State.STOPPED;
  }

  /** For how long the dead stay unreplaced. */
  static Duration vacancy(Random dice) {
    return Duration.ofMillis(dice.nextInt(1_500));
  }
}
