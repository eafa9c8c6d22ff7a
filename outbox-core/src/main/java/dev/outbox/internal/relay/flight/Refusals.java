package dev.outbox.internal.relay.flight;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What databases refused, behind what was thrown: a batch links it, a wrapper has it as its cause,
 * and a rollback in vain suppresses it. A driver may lead in a circle.
 */
public final class Refusals {
  private Refusals() {}

  /** All of them, in no order. */
  public static Stream<SQLException> behind(@Nullable Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Throwable> left = new ArrayDeque<>();
    Stream.ofNullable(thrown).forEach(left::add);
    while (!left.isEmpty()) {
      Throwable each = left.remove();
      if (seen.add(each)) {
        linked(each).forEach(left::add);
      }
    }
    return seen.stream().filter(SQLException.class::isInstance).map(SQLException.class::cast);
  }

  private static Stream<Throwable> linked(Throwable thrown) {
    Throwable next = thrown instanceof SQLException refusal ? refusal.getNextException() : null;
    return Stream.of(
            Stream.ofNullable(thrown.getCause()),
            Stream.ofNullable(next),
            Stream.of(thrown.getSuppressed()))
        .flatMap(each -> each);
  }

  /** The last of its causes, which is the first failure. */
  public static Throwable first(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable first = thrown;
    while (seen.add(first) && first.getCause() != null) {
      first = first.getCause();
    }
    return first;
  }
}
