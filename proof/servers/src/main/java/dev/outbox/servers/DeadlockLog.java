package dev.outbox.servers;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a server's log says of deadlocks: a report begins with {@code mark} and goes on to the next.
 *
 * <p>Immutable.
 */
record DeadlockLog(String log, String mark) {
  private static final int LONGEST_REPORT = 8_000;
  private static final Pattern TABLE = Pattern.compile("of table `([^`]+)`\\.");

  /** The reports, oldest first, without those in which InnoDB met itself. */
  List<String> reports() {
    return Stream.of(log.split(Pattern.quote(mark), -1))
        .skip(1)
        .filter(report -> !isOfTheServerItself(report))
        .map(report -> report.substring(0, Math.min(LONGEST_REPORT, report.length())))
        .toList();
  }

  /** InnoDB keeps its statistics in tables of its own, and tries again when it deadlocks there. */
  private static boolean isOfTheServerItself(String report) {
    List<String> schemas =
        TABLE.matcher(report).results().map((MatchResult table) -> table.group(1)).toList();
    return !schemas.isEmpty() && schemas.stream().allMatch("mysql"::equals);
  }
}
