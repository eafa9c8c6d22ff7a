package dev.outbox.testkit.internal.schedule;

import dev.outbox.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.schedule.CoveredEvent;
import dev.outbox.testkit.schedule.DrivenRelay;
import java.time.Duration;

/**
 * A relay in its place: works as it is told to, and leaves as a relay does that closes.
 *
 * <p>Used by one thread.
 */
final class ScheduledRelay {
  private static final Duration AFTER_REFUSALS = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MOST_TURNS = 1000;

  private final int place;
  private final String name;
  private final DrivenRelay drivenRelay;
  private final ScheduleRun scheduleRun;
  private boolean busy;
  private boolean refused;
  private boolean isSure;
  private boolean leaves;
  private boolean patient;
  private boolean givesUp;
  private boolean mayGoOn;
  private boolean cut;
  private Duration lastSure;

  ScheduledRelay(int place, String name, DrivenRelay drivenRelay, ScheduleRun scheduleRun) {
    this.place = place;
    this.name = name;
    this.drivenRelay = drivenRelay;
    this.scheduleRun = scheduleRun;
    this.lastSure = scheduleRun.time().ofTheStore();
  }

  int place() {
    return place;
  }

  String name() {
    return name;
  }

  void turn() {
    work(leaves ? this::leave : drivenRelay::turn);
  }

  /** Takes turns as a loop does: it looks where it is time to look. */
  void workOn() {
    work(leaves ? this::leave : this::takeTurns);
  }

  private void takeTurns() {
    int turns = 0;
    while (turns < MOST_TURNS && drivenRelay.turn()) {
      turns++;
    }
  }

  void drain() {
    work(leaves ? this::leave : drivenRelay::drain);
  }

  private void work(Runnable work) {
    if (busy) {
      return;
    }
    Duration began = scheduleRun.time().ofTheStore();
    busy = true;
    isSure = true;
    scheduleRun.time().tick();
    try {
      work.run();
      lastSure = isSure ? began : lastSure;
    } catch (StoreException e) {
      scheduleRun.scheduleLedger().count(CoveredEvent.FAILED_CALL);
      hear();
    } catch (Crash crash) {
      // it is found among the dead
    } finally {
      busy = false;
    }
  }

  /** It hands nothing on any more from here on, also when it stands still while it is answered. */
  void close(boolean patiently) {
    work(
        () -> {
          patient = patiently;
          if (patiently) {
            scheduleRun.broker().answerAll(name);
          }
          leave();
        });
  }

  /**
   * May fail, as any call: then it leaves the next time that it may do something, and does nothing
   * else any more.
   */
  private void leave() {
    leaves = true;
    givesUp = false;
    windDown();
    givesUp = true;
    scheduleRun.broker().abandon(name);
    drivenRelay.close();
    scheduleRun.scheduledRelays().left(this);
    scheduleRun.scheduleLedger().count(CoveredEvent.CLOSE);
    scheduleRun.scheduleLedger().of(NoteKind.CLOSED, name, "");
  }

  /** What the store refused is offered again after a rest, for which a close has patience. */
  private void windDown() {
    Duration left = patient ? PATIENCE : Duration.ZERO;
    while (!isWoundDown() && refused && !left.isZero()) {
      scheduleRun.time().rest(AFTER_REFUSALS);
      left = left.minus(AFTER_REFUSALS);
    }
  }

  private boolean isWoundDown() {
    Duration began = scheduleRun.time().ofTheStore();
    boolean over = drivenRelay.windDown();
    lastSure = began;
    return over;
  }

  void crash() {
    drivenRelay.crash();
  }

  boolean isBusy() {
    return busy;
  }

  /** True once it has begun to leave. */
  boolean isLeaving() {
    return leaves;
  }

  /** True when it leaves and there is no other time to write what it knows. */
  boolean isGivingUp() {
    return givesUp;
  }

  /**
   * The store has refused something that it offers again after a rest. It may have been what renews
   * a lease, which the next turn renews then.
   */
  void refuse() {
    refused = true;
    isSure = false;
  }

  /** The store has gone back, of which it hears by its next call. */
  void loseSession() {
    cut = true;
  }

  private void hear() {
    if (cut) {
      cut = false;
      scheduleRun
          .scheduleLedger()
          .of(NoteKind.FAULT, name, "hears that its session was cut when the store went back");
    }
  }

  /** It stands still until it is told to go on. */
  void stop() {
    mayGoOn = false;
  }

  void goOn() {
    mayGoOn = true;
  }

  /** True when it need not stand still any longer. */
  boolean mayGoOn() {
    return mayGoOn || scheduleRun.scheduledRelays().isDead(this);
  }

  /** True when it has not worked for so long. */
  boolean hasIdledFor(Duration time) {
    return scheduleRun.time().ofTheStore().minus(lastSure).compareTo(time) >= 0;
  }
}
