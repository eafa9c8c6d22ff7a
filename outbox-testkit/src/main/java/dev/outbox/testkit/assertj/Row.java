package dev.outbox.testkit.assertj;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import dev.outbox.testkit.Arrival;

/** A message in a list that a person reads: where it is, and what is in it. */
final class Row {
  private static final int SHOWN = 100;

  private Row() {}

  static String of(String where, Envelope envelope) {
    String key = envelope.key() == null ? "no key" : "key " + envelope.key();
    String headers = envelope.headers().isEmpty() ? "" : " " + envelope.headers();
    return "%s: %s, %s,%s %s"
        .formatted(where, envelope.topic(), key, headers, of(envelope.payload()));
  }

  static String of(Arrival arrival) {
    return of("arrival " + arrival.number(), arrival.envelope());
  }

  static String of(DeadLetter letter) {
    return of(letter.reason() + " (" + letter.error() + ")", letter.envelope());
  }

  /** The content if it is text, cut to what fits a line. */
  private static String of(Payload payload) {
    String type = payload.contentType();
    if (!type.startsWith("text/") && !type.contains("json")) {
      return payload.toString();
    }
    String text = payload.text().replaceAll("\\R", " ");
    return "'" + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…") + "'";
  }
}
