package dev.outbox.testkit.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What writers and relays have failed with in a run.
 *
 * <p>Used by one thread.
 */
final class CrashFailures {
  private final List<Throwable> all = new ArrayList<>();
  private final List<Throwable> ofWriters = new ArrayList<>();

  void add(Throwable failure, boolean ofUncutWriter) {
    all.add(failure);
    if (ofUncutWriter) {
      ofWriters.add(failure);
    }
  }

  Optional<Throwable> first() {
    return all.stream().findFirst();
  }

  /** Those of writers, except after the store went back: that cuts all sessions. */
  List<Throwable> ofWriters() {
    return List.copyOf(ofWriters);
  }
}
