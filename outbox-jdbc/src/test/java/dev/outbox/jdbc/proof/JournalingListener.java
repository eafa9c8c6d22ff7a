package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.proof.Entry.Kind;
import dev.outbox.message.Envelope;
import dev.outbox.message.Lane;
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
        Integer.toString(settled.died()),
        Integer.toString(settled.missing()));
  }

  @Override
  public void died(Envelope envelope, String reason, String error) {
    journal.add(Kind.DIED, envelope.id().toString(), reason, error);
  }

  @Override
  public void foundLate(Lane lane, int count) {
    journal.add(Kind.FOUND_LATE, lane.toString(), Integer.toString(count));
  }

  @Override
  public void fenced(Lane lane) {
    journal.add(Kind.FENCED, lane.toString());
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
