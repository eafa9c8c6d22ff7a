package dev.outbox.jdbc.proof;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;

/**
 * Writes down what a relay tells its listener: how many a settle delivered, parked, made dead
 * letters and found missing, and its troubles, each with its kind ahead.
 *
 * <p>Safe for use by many threads.
 */
record JournalingListener(Journal journal, String relay) implements RelayListener {
  /** A message became a dead letter. */
  static final String DIED = "dead letter";

  /** Messages were found below the floor of a lane. */
  static final String FOUND_LATE = "found late";

  /** The database did not answer. */
  static final String DOWN = "down";

  /** Answers were ignored. */
  static final String IGNORED = "ignored";

  @Override
  public void settled(Settled settled) {
    journal.of(
        NoteKind.SETTLED,
        relay,
        "%d %d %d %d"
            .formatted(
                settled.delivered(), settled.parked(), settled.deadLettered(), settled.missing()));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    trouble(DIED, envelope.id() + " " + reason + " " + error);
  }

  @Override
  public void foundLate(int lane, int count) {
    trouble(FOUND_LATE, count + " in lane " + lane);
  }

  @Override
  public void fenced(int lane) {
    journal.of(NoteKind.FENCED, relay, "lane " + lane);
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    trouble(DOWN, String.valueOf(cause.getMessage()));
  }

  @Override
  public void ignoredAnswers(int count) {
    trouble(IGNORED, Integer.toString(count));
  }

  private void trouble(String kind, String what) {
    journal.of(NoteKind.NUISANCE, relay, kind + ": " + what);
  }
}
