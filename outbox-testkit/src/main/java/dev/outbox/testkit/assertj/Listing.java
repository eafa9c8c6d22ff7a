package dev.outbox.testkit.assertj;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A list under a sentence, one line each. */
final class Listing {
  private static final int MOST = 30;

  private Listing() {}

  /** The lines, or "none". */
  static <T> String of(List<T> things, Function<T, String> line) {
    String lines =
        things.stream()
            .limit(MOST)
            .map(thing -> "\n  " + line.apply(thing))
            .collect(Collectors.joining());
    int more = things.size() - MOST;
    return things.isEmpty() ? " none" : ":" + lines + (more > 0 ? "\n  and " + more + " more" : "");
  }
}
