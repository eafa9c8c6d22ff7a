package dev.outbox.testkit.schedule;

import dev.outbox.Claiming;
import dev.outbox.testkit.crash.TestWorld;
import java.util.function.IntFunction;

/**
 * What schedules are made of.
 *
 * <ul>
 *   <li>{@link #relays}: 3
 *   <li>{@link #decisions}: 120 before everything ends
 *   <li>{@link #worlds}: in memory
 *   <li>{@link #workers}: the engine of this library
 * </ul>
 *
 * <p>Immutable.
 */
public record Settings(
    Claiming claiming,
    int relays,
    int decisions,
    boolean deadly,
    boolean later,
    boolean goesBack,
    IntFunction<TestWorld.Opening> opening,
    DrivenRelay.Recruiting recruiting) {
  private static final int MOST_RELAYS = 9;

  /**
   * @throws IllegalArgumentException when there are less than 1 or more than 9 relays, or less than
   *     1 decision
   */
  public Settings {
    if (relays < 1 || relays > MOST_RELAYS || decisions < 1) {
      throw new IllegalArgumentException(
          "%d relays and %d decisions; there are 1 to %d relays and at least 1 decision"
              .formatted(relays, decisions, MOST_RELAYS));
    }
  }

  /** Claims by lanes, with keys. The seed chooses the number of lanes. */
  public static Settings lanes() {
    return new Settings(
        Claiming.LANES,
        3,
        120,
        true,
        true,
        false,
        lanes -> () -> MemoryWorld.lanes(lanes),
        DrivenRelay::engine);
  }

  /** Claims by rows, without keys. */
  public static Settings rows() {
    return new Settings(
        Claiming.ROWS,
        3,
        120,
        false,
        false,
        false,
        lanes -> MemoryWorld::rows,
        DrivenRelay::engine);
  }

  /** That many relays at a time. */
  public Settings relays(int number) {
    return new Settings(claiming, number, decisions, deadly, later, goesBack, opening, recruiting);
  }

  /** That many decisions. */
  public Settings decisions(int number) {
    return new Settings(claiming, relays, number, deadly, later, goesBack, opening, recruiting);
  }

  /**
   * No message kills its sender: for relays that are not careful with such ones. So it is with
   * claims by rows.
   */
  public Settings withoutDeadly() {
    return new Settings(claiming, relays, decisions, false, later, goesBack, opening, recruiting);
  }

  /**
   * Every relay has the publisher of its world. Otherwise some, by lanes, have one that answers at
   * later decisions. So it is with claims by rows, which wait for their answers.
   */
  public Settings withoutLaterAnswers() {
    return new Settings(claiming, relays, decisions, deadly, false, goesBack, opening, recruiting);
  }

  /**
   * The store goes back in time by a moment, once or a few times, as when an asynchronous standby
   * is promoted. Your own worlds need {@link TestWorld#remember}. Otherwise it does not, and a seed
   * is the same schedule but for that.
   */
  public Settings goingBack() {
    return new Settings(claiming, relays, decisions, deadly, later, true, opening, recruiting);
  }

  /**
   * Your own worlds, each with empty tables: your store, or your publisher. Their tables must be
   * laid out as these settings claim, with 16 lanes at most.
   */
  public Settings worlds(TestWorld.Opening opening) {
    return new Settings(
        claiming, relays, decisions, deadly, later, goesBack, lanes -> opening, recruiting);
  }

  /** Your own relays. */
  public Settings workers(DrivenRelay.Recruiting recruiting) {
    return new Settings(claiming, relays, decisions, deadly, later, goesBack, opening, recruiting);
  }
}
