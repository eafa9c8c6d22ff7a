package dev.outbox.internal.relay;

import java.time.Duration;

/** Comparisons of times. */
final class Durations {
  private Durations() {}

  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
