package dev.outbox.jdbc.proof;

import dev.outbox.DeadLetter;
import dev.outbox.jdbc.proof.Entry.Kind;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import java.time.Duration;

/** Writes down what a relay tells its listener. Safe for use by many threads. */
record JournalingListener(Journal journal) implements RelayListener {

  @Override
  public void settled(Settled settled) {
    journal.add(
        Kind.SETTLED,
        Integer.toString(settled.delivered()),
        Integer.toString(settled.parked()),
        Integer.toString(settled.deadLettered()),
        Integer.toString(settled.missing()));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    journal.add(Kind.DIED, envelope.id().toString(), reason.name(), error);
  }

  @Override
  public void foundLate(int lane, int count) {
    journal.add(Kind.FOUND_LATE, Integer.toString(lane), Integer.toString(count));
  }

  @Override
  public void fenced(int lane) {
    journal.add(Kind.FENCED, Integer.toString(lane));
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    journal.add(Kind.DOWN, String.valueOf(cause.getMessage()));
  }

  @Override
  public void ignoredAnswers(int count) {
    journal.add(Kind.IGNORED, Integer.toString(count));
  }
}
