package dev.outbox.jdbc.internal.cluster;

import dev.outbox.spi.cluster.ClusterBeat.Seen;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster has seen of the others, as a text: {@code 0:15:3,1:42:7:40,2:99:0:99!}. A fourth
 * number tells when it took over last, the exclamation mark that it does.
 */
final class SeenCodec {
  private SeenCodec() {}

  static String of(Map<Integer, Seen> seen) {
    return new TreeMap<>(seen)
        .entrySet().stream()
            .map(
                entry ->
                    "%s:%s:%s%s"
                        .formatted(
                            entry.getKey(),
                            entry.getValue().number(),
                            entry.getValue().since(),
                            taken(entry.getValue())))
            .collect(Collectors.joining(","));
  }

  private static String taken(Seen seen) {
    return (seen.taken() == Seen.NEVER ? "" : ":" + seen.taken()) + (seen.taking() ? "!" : "");
  }

  /** An empty text is null to Oracle. */
  static Map<Integer, Seen> read(@Nullable String text) {
    Map<Integer, Seen> seen = new HashMap<>();
    if (text == null || text.isEmpty()) {
      return seen;
    }
    for (String entry : text.split(",", -1)) {
      boolean taking = entry.endsWith("!");
      String[] parts = (taking ? entry.substring(0, entry.length() - 1) : entry).split(":", -1);
      seen.put(
          Integer.parseInt(parts[0]),
          new Seen(
              Long.parseLong(parts[1]),
              Long.parseLong(parts[2]),
              taking,
              parts.length > 3 ? Long.parseLong(parts[3]) : Seen.NEVER));
    }
    return seen;
  }
}
