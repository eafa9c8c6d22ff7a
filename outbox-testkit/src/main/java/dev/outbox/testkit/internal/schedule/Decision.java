package dev.outbox.testkit.internal.schedule;

import dev.outbox.Topics.Setting;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is decided to happen next. Each can be taken anywhere, and does nothing where it
 * makes no sense, so that any of them can be left out.
 */
public sealed interface Decision {
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

  record Turn(int relay) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().turn(relay);
    }

    @Override
    public String toString() {
      return place(relay) + " takes a turn";
    }
  }

  record Drain(int relay) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().drain(relay);
    }

    @Override
    public String toString() {
      return place(relay) + " works until there is nothing to do";
    }
  }

  record Ambush(int relay, CrashPoint point, Step.Side side, Deed deed) implements Decision {
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
      return "%s, when it comes there, %s %s".formatted(place(relay), deed.words, where());
    }
  }

  record Resume(int relay) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().resume(relay);
    }

    @Override
    public String toString() {
      return place(relay) + " may go on";
    }
  }

  record Kill(int relay) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().kill(relay);
    }

    @Override
    public String toString() {
      return place(relay) + " is killed";
    }
  }

  record Join(int relay) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().join(relay);
    }

    @Override
    public String toString() {
      return place(relay) + " joins, if its place is free";
    }
  }

  record Close(int relay, boolean patiently) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.scheduledRelays().close(relay, patiently);
    }

    @Override
    public String toString() {
      return place(relay) + (patiently ? " closes" : " closes without waiting for its answers");
    }
  }

  record Answer(int number) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().answer(number);
    }

    @Override
    public String toString() {
      return "the broker gets what is on its way, number " + number;
    }
  }

  record Silence(int number, boolean arrives) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().silence(number, arrives);
    }

    @Override
    public String toString() {
      return "of what is on its way, number %d %s"
          .formatted(number, arrives ? "arrives, and the answer is lost" : "is lost");
    }
  }

  record Caprice(BrokerReaction brokerReaction) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().next(brokerReaction);
    }

    @Override
    public String toString() {
      return "the broker " + brokerReaction.words;
    }
  }

  record Down(boolean down) implements Decision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().down(down);
    }

    @Override
    public String toString() {
      return down ? "the broker goes down" : "the broker is back";
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
