package dev.outbox.testkit.crash;

import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.internal.watch.WatchedDataSource;
import dev.outbox.testkit.internal.watch.WatchedPublisher;
import dev.outbox.testkit.internal.watch.WatchedStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts every step that is taken through what it watches, and asks on both sides of each whether
 * something shall happen there.
 *
 * <p>Safe for use by many threads. Production code knows nothing of it: what is not watched costs
 * nothing.
 */
public final class Steps {
  private final Interruption interruption;
  private final Notebook notes;
  private final List<Step> taken = new ArrayList<>();
  private final Map<String, Step> done = new HashMap<>();
  private final Set<String> dead = new HashSet<>();

  /** Asked on both sides of every step; what it throws is what happens to who took the step. */
  public interface Interruption {
    /** Nothing happens anywhere. */
    Interruption NONE = (steps, step, side) -> {};

    /** Does nothing, throws, or lets others do something before it returns. */
    void at(Steps steps, Step step, Step.Side side);
  }

  /** What a step does. */
  public interface Effect<T extends @Nullable Object, X extends Throwable> {
    T happen() throws X;
  }

  /** What a step does that has no result. */
  public interface Deed<X extends Throwable> {
    void happen() throws X;
  }

  /** Steps that {@code interruption} is asked about; what happens is noted in {@code notes}. */
  public Steps(Interruption interruption, Notebook notes) {
    this.interruption = interruption;
    this.notes = notes;
  }

  /** Where what happens is noted. */
  public Notebook notes() {
    return notes;
  }

  /** The same store, used by {@code who}; every call is a step. */
  public OutboxStore watch(String who, OutboxStore store) {
    return new WatchedStore(who, store, this, notes);
  }

  /** The same store, used by {@code who}; noted, but its calls are no steps. */
  public OutboxStore note(String who, OutboxStore store) {
    return new WatchedStore(who, store, new Steps(Interruption.NONE, notes), notes);
  }

  /** The same publisher, used by the relay {@code who}; every flight and every answer is a step. */
  public Publisher watch(String who, Publisher publisher) {
    return new WatchedPublisher(who, publisher, this, notes);
  }

  /** The same connections, used by {@code who}; every statement and every commit is a step. */
  public DataSource watch(String who, DataSource dataSource) {
    return WatchedDataSource.of(who, dataSource, this);
  }

  /**
   * Takes one step, whose effect may fail by itself.
   *
   * @throws Crash when {@code who} is dead, or dies of this step
   */
  public <T extends @Nullable Object, X extends Throwable> T take(
      String who, CrashPoint point, String detail, Effect<T, X> effect) throws X {
    Step step = begin(who, point, detail, null);
    interruption.at(this, step, Step.Side.BEFORE);
    T result = effect.happen();
    end(step);
    return result;
  }

  /** As {@link #take}, without a result. */
  public <X extends Throwable> void run(String who, CrashPoint point, String detail, Deed<X> deed)
      throws X {
    run(who, point, detail, null, deed);
  }

  /** As {@link #run(String, CrashPoint, String, Deed)}, of one message. */
  public <X extends Throwable> void run(
      String who, CrashPoint point, String detail, @Nullable Subject subject, Deed<X> deed)
      throws X {
    Step step = begin(who, point, detail, subject);
    interruption.at(this, step, Step.Side.BEFORE);
    deed.happen();
    end(step);
  }

  private Step begin(String who, CrashPoint point, String detail, @Nullable Subject subject) {
    synchronized (this) {
      requireAlive(who);
      Step step = new Step(taken.size() + 1, who, point, detail, subject);
      taken.add(step);
      return step;
    }
  }

  private void end(Step step) {
    synchronized (this) {
      done.put(step.who(), step);
    }
    interruption.at(this, step, Step.Side.AFTER);
    requireAlive(step.who());
  }

  /** From now on {@code who} takes no step. */
  public synchronized void kill(String who) {
    dead.add(who);
  }

  /** True once {@code who} has been killed. */
  public synchronized boolean isDead(String who) {
    return dead.contains(who);
  }

  /**
   * Refuses a step of one that has been killed.
   *
   * @throws Crash when {@code who} is dead
   */
  public void requireAlive(String who) {
    if (isDead(who)) {
      throw new Crash(who, "it was dropped");
    }
  }

  /** The last step of {@code who} that took effect, whether or not it was reported. */
  public synchronized Optional<Step> lastDone(String who) {
    return Optional.ofNullable(done.get(who));
  }

  /** All steps so far, in order. */
  public synchronized List<Step> taken() {
    return List.copyOf(taken);
  }
}
