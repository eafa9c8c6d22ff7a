package dev.outbox.testkit.internal.schedule;

import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import java.util.Locale;

/** What a relay does next, or what happens to it. */
public sealed interface RelayDecision extends Decision {
  record Turn(int relay) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().turn(relay);
    }

    @Override
    public String toString() {
      return Decision.place(relay) + " takes a turn";
    }
  }

  record Drain(int relay) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().drain(relay);
    }

    @Override
    public String toString() {
      return Decision.place(relay) + " works until there is nothing to do";
    }
  }

  record Ambush(int relay, CrashPoint point, Step.Side side, Deed deed) implements RelayDecision {
    /** What happens there. */
    public enum Deed {
      DROP("is dropped"),
      FAIL("hears of a failure"),
      CONTEND("finds rows locked"),
      PAUSE("stands still"),
      GO_BACK("finds the store gone back");

      final String words;

      Deed(String words) {
        this.words = words;
      }
    }

    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().ambush(this);
    }

    String where() {
      return side.name().toLowerCase(Locale.ROOT) + " " + point;
    }

    @Override
    public String toString() {
      return "%s, when it comes there, %s %s".formatted(Decision.place(relay), deed.words, where());
    }
  }

  record Resume(int relay) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().resume(relay);
    }

    @Override
    public String toString() {
      return Decision.place(relay) + " may go on";
    }
  }

  record Kill(int relay) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().kill(relay);
    }

    @Override
    public String toString() {
      return Decision.place(relay) + " is killed";
    }
  }

  record Join(int relay) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().join(relay);
    }

    @Override
    public String toString() {
      return Decision.place(relay) + " joins, if its place is free";
    }
  }

  record Close(int relay, boolean patiently) implements RelayDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().close(relay, patiently);
    }

    @Override
    public String toString() {
      return Decision.place(relay)
          + (patiently ? " closes" : " closes without waiting for its answers");
    }
  }
}
