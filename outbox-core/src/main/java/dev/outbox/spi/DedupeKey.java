package dev.outbox.spi;

import java.util.Comparator;

/**
 * What a message is enqueued once by: a key of the application's, of one topic.
 *
 * <p>Immutable. The order is the same in every process: writers of several keys take them in it.
 */
public record DedupeKey(String topic, String value) implements Comparable<DedupeKey> {
  private static final Comparator<DedupeKey> ORDER =
      Comparator.comparing(DedupeKey::topic).thenComparing(DedupeKey::value);

  @Override
  public int compareTo(DedupeKey other) {
    return ORDER.compare(this, other);
  }
}
