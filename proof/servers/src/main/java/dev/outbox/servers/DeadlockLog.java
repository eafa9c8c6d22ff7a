package dev.outbox.servers;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a server's log says of deadlocks: a report begins with {@code mark} and goes on to the next.
 *
 * <p>Immutable.
 */
record DeadlockLog(String log, String mark) {
  private static final int LONGEST_REPORT = 8_000;

  /** The reports, oldest first. */
  List<String> reports() {
    return Stream.of(log.split(Pattern.quote(mark), -1))
        .skip(1)
        .map(report -> report.substring(0, Math.min(LONGEST_REPORT, report.length())))
        .toList();
  }
}
