package dev.outbox.jdbc.proof;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Subject;
import java.util.Objects;

/**
 * A message of the proof: its id, and its number in the order in which the writers of its key
 * committed.
 *
 * <p>Immutable.
 */
public record Passage(String id, String topic, String key, long sequence) {
  public static final String TOPIC = "proof";
  private static final String NO_KEY = "-";
  private static final String PAYLOAD = "%-100d";

  static Passage of(Envelope envelope) {
    Key key = envelope.key();
    return new Passage(
        envelope.id().toString(),
        envelope.topic(),
        key == null ? NO_KEY : key.value(),
        Long.parseLong(envelope.payload().text().strip()));
  }

  /** The message of this number. */
  static Message message(String key, long sequence) {
    Message.Draft draft = Message.to(TOPIC);
    if (!key.equals(NO_KEY)) {
      draft.key(key);
    }
    return draft.text(PAYLOAD.formatted(sequence));
  }

  /** The name of the key with this number among {@code keys}; that of no key when there is none. */
  static String key(int number, int keys) {
    return keys == 0 ? NO_KEY : "k" + number;
  }

  /** For the judge, by whom also what is written without a key must arrive without one. */
  Subject subject() {
    return new Subject(
        MessageId.parse(id), topic, key.equals(NO_KEY) ? null : key, Objects.hash(key, sequence));
  }
}
