package dev.outbox.testkit.internal.schedule;

/** What the broker does next, or what becomes of what is on its way. */
public sealed interface BrokerDecision extends Decision {
  record Answer(int number) implements BrokerDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().answer(number);
    }

    @Override
    public String toString() {
      return "the broker gets what is on its way, number " + number;
    }
  }

  record Silence(int number, boolean arrives) implements BrokerDecision {
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

  record Caprice(BrokerReaction brokerReaction) implements BrokerDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().next(brokerReaction);
    }

    @Override
    public String toString() {
      return "the broker " + brokerReaction.words;
    }
  }

  record Down(boolean down) implements BrokerDecision {
    @Override
    public void on(ScheduleRun scheduleRun) {
      scheduleRun.broker().down(down);
    }

    @Override
    public String toString() {
      return down ? "the broker goes down" : "the broker is back";
    }
  }
}
