package dev.outbox.console.view;

import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.DeadLetters.Replayed;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replay or discard of many dead letters: counted first, then confirmed, then done as far as it
 * was counted; it can be stopped after each portion.
 *
 * <p>Safe for use by many threads; {@code count} and {@code run} are called by its own.
 */
final class Job {
  private static final Logger log = LoggerFactory.getLogger(Job.class);

  private final String id;
  private final Action action;
  private final Filter filter;
  private final @Nullable Integer pace;
  private State state = State.COUNTING;
  private long counted;
  private long last;
  private long done;
  private boolean isWorkedAt;
  private boolean stop;
  private String who = "";

  /** What is done to them. */
  enum Action {
    REPLAY,
    DISCARD
  }

  /** How far it is. */
  enum State {
    COUNTING,
    COUNTED,
    RUNNING,
    DONE,
    STOPPED,
    FAILED
  }

  Job(String id, Action action, Filter filter, @Nullable Integer pace) {
    this.id = id;
    this.action = action;
    this.filter = filter;
    this.pace = pace;
    plan(); // refuses a bad pace
  }

  private ReplayPlan plan() {
    return pace == null ? ReplayPlan.atOnce() : ReplayPlan.paced(pace);
  }

  void count(DeadLetters dead) {
    if (!begins()) {
      return;
    }
    try {
      Replayed fits =
          dead.replay(
              filter,
              ReplayPlan.dryRun(),
              soFar -> {
                counts(soFar);
                return !isStopped();
              });
      counts(fits);
      become(fits.complete() ? State.COUNTED : State.STOPPED);
    } catch (RuntimeException e) {
      failed("counts", e);
    }
  }

  /** False when it was stopped before its turn. */
  private synchronized boolean begins() {
    if (stop) {
      become(State.STOPPED);
      return false;
    }
    isWorkedAt = true;
    return true;
  }

  private synchronized void counts(Replayed soFar) {
    counted = soFar.messages();
    last = soFar.last();
  }

  /**
   * A person has typed the number.
   *
   * @throws AnswerException when it is another number, or nothing waits to be confirmed
   */
  synchronized void confirm(long number, String who) {
    if (state != State.COUNTED) {
      throw new AnswerException(409, "It is not waiting to be confirmed.");
    }
    if (number != counted) {
      throw new AnswerException(409, "The number is " + counted + ", not " + number + ".");
    }
    state = State.RUNNING;
    this.who = who;
    Change.log(who, "%s %d dead letters, %s".formatted(name(), counted, DeadView.text(bounded())));
  }

  private Filter bounded() {
    return filter.upTo(last);
  }

  private String name() {
    return action == Action.REPLAY ? "replay" : "discard";
  }

  void run(DeadLetters dead) {
    if (!begins()) {
      return;
    }
    try {
      long changed = action == Action.REPLAY ? replay(dead) : dead.discard(bounded(), this::goesOn);
      goesOn(changed);
      become(isStopped() ? State.STOPPED : State.DONE);
    } catch (RuntimeException e) {
      failed(name(), e);
    }
  }

  private long replay(DeadLetters dead) {
    return dead.replay(bounded(), plan(), soFar -> goesOn(soFar.messages())).messages();
  }

  private synchronized boolean goesOn(long changed) {
    done = changed;
    return !stop;
  }

  private synchronized boolean isStopped() {
    return stop;
  }

  /** At once unless it is worked at, else after the portion that is under way. */
  synchronized void stop(String who) {
    if (state == State.RUNNING && !stop) {
      Change.log(who, "stop a %s of dead letters".formatted(name()));
    }
    stop = true;
    if (!isWorkedAt && (state == State.COUNTED || !isIdle())) {
      become(State.STOPPED);
    }
  }

  private synchronized void become(State next) {
    state = next;
    isWorkedAt = false;
    if (state == State.STOPPED && done > 0) {
      log.info("console: stopped, {} of {} dead letters were changed", done, counted);
    }
  }

  private synchronized void failed(String what, RuntimeException e) {
    state = State.FAILED;
    isWorkedAt = false;
    log.warn("console: {} dead letters failed after {} of {}", what, done, counted, e);
  }

  /** True when nothing works at it, and nothing will unless a person confirms it. */
  synchronized boolean isIdle() {
    return state != State.COUNTING && state != State.RUNNING;
  }

  /** True when a person has confirmed it. */
  synchronized boolean isBegun() {
    return !who.isEmpty();
  }

  synchronized Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("id", id);
    values.put("action", action.name());
    values.put("state", state.name());
    values.put("which", DeadView.text(filter));
    values.put("who", who);
    values.put("counted", counted);
    values.put("done", done);
    return values;
  }
}
