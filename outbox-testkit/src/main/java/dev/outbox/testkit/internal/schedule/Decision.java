package dev.outbox.testkit.internal.schedule;

import dev.outbox.Topics.Setting;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is decided to happen next. Each can be taken anywhere, and does nothing where it
 * makes no sense, so that any of them can be left out.
 */
public sealed interface Decision
    permits BrokerDecision,
        RelayDecision,
        Decision.Write,
        Decision.Commit,
        Decision.RollBack,
        Decision.Pass,
        Decision.StoreClock,
        Decision.WallClock,
        Decision.Topic,
        Decision.Replay,
        Decision.Remember,
        Decision.GoBack,
        Decision.End {
  /** Lets it happen. */
  void on(ScheduleRun scheduleRun) throws Exception;

  /** A name for the relay in this place. */
  static String place(int place) {
    return "relay-" + (char) ('A' + place);
  }

  record Write(
      int writer, int number, String topic, @Nullable String key, MessageTrait messageTrait)
      implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.scheduledWriters().write(this);
    }

    @Override
    public String toString() {
      String where = key == null ? topic : topic + "/" + key;
      return "writer-%d writes m%d to %s%s".formatted(writer, number, where, messageTrait.words);
    }
  }

  record Commit(int writer) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.scheduledWriters().commit(writer);
    }

    @Override
    public String toString() {
      return "writer-" + writer + " commits";
    }
  }

  record RollBack(int writer) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.scheduledWriters().rollBack(writer);
    }

    @Override
    public String toString() {
      return "writer-" + writer + " rolls back";
    }
  }

  record Pass(Duration time) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.time().pass(time);
    }

    @Override
    public String toString() {
      return time.toSeconds() + " s pass";
    }
  }

  record StoreClock(Duration by) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.time().setStore(by);
    }

    @Override
    public String toString() {
      return "the store's clock is set by " + by.toSeconds() + " s";
    }
  }

  record WallClock(int relay, Duration by) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.time().setWall(relay, by);
    }

    @Override
    public String toString() {
      return "the wall clock of %s is set by %d s".formatted(place(relay), by.toSeconds());
    }
  }

  record Topic(String topic, Setting setting) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.set(topic, setting);
    }

    @Override
    public String toString() {
      return "topic %s is set to %s".formatted(topic, setting);
    }
  }

  record Replay() implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.replay();
    }

    @Override
    public String toString() {
      return "an operator replays the dead letters";
    }
  }

  record Remember() implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.remember();
    }

    @Override
    public String toString() {
      return "a standby of the store falls behind from here on";
    }
  }

  record GoBack() implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) throws Exception {
      scheduleRun.goBack();
    }

    @Override
    public String toString() {
      return "the store goes back: its standby takes its place";
    }
  }

  record End() implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {}

    @Override
    public String toString() {
      return "everything ends: all faults are over, time passes, the relays work and close";
    }
  }
}
