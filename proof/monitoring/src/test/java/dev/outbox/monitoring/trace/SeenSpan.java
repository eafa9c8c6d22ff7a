package dev.outbox.monitoring.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A span as it was exported; {@code parent} is empty at the root of a trace. */
record SeenSpan(
    String trace, String id, String parent, String kind, String name, long began, long ended) {

  /** The spans from the root of its trace to this one. */
  List<SeenSpan> path(List<SeenSpan> all) {
    Optional<SeenSpan> above = all.stream().filter(this::hangsBelow).findFirst();
    List<SeenSpan> path = new ArrayList<>(above.map(span -> span.path(all)).orElse(List.of()));
    path.add(this);
    return path;
  }

  private boolean hangsBelow(SeenSpan other) {
    return other.id.equals(parent) && other.trace.equals(trace);
  }
}
