package dev.outbox.testkit;

/**
 * A breach of the order of a topic and key: {@code late} should have arrived before {@code early}.
 *
 * <p>Immutable.
 */
public record Overtaking(Arrival early, Arrival late) {
  /** What overtook what, with the numbers of their arrivals; payloads are named by their ids. */
  @Override
  public String toString() {
    return "%s/%s: arrival %d (%s) overtook arrival %d (%s)"
        .formatted(late.topic(), late.key(), early.number(), early.id(), late.number(), late.id());
  }
}
