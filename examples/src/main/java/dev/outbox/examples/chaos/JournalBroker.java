package dev.outbox.examples.chaos;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import java.io.IOException;
import java.util.Random;

/**
 * A broker that is a journal: it has a message once the line is written. It takes its time and
 * refuses one message in two hundred.
 *
 * <p>Safe for use by many threads.
 */
record JournalBroker(Journal journal, String relay, Random dice, Sabotage sabotage) {
  private static final int SLOWEST_MILLIS = 80;
  private static final int ONE_IN = 200;

  Publisher publisher() {
    return Publisher.blocking(this::send);
  }

  private void send(Envelope envelope) throws IOException, InterruptedException {
    Thread.sleep(dice.nextInt(SLOWEST_MILLIS + 1));
    if (dice.nextInt(ONE_IN) == 0) {
      throw new IOException("the broker is busy");
    }
    boolean wrong = dice.nextInt(ONE_IN) == 0;
    if (wrong && sabotage == Sabotage.LOSE) {
      return;
    }
    journal.of(NoteKind.ARRIVED, relay, Subject.of(envelope), "");
    if (wrong && sabotage == Sabotage.REPEAT) {
      journal.of(NoteKind.ARRIVED, relay, Subject.of(envelope), "");
    }
  }
}
