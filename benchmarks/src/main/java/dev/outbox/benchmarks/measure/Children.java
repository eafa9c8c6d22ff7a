package dev.outbox.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processes that this one has started: servers, and JVMs with a relay. Their processor time has
 * that of their ended children in it.
 *
 * <p>Stateless.
 */
final class Children {
  private static final double TICKS_PER_SECOND = 100;

  private Children() {}

  /** The seconds of servers; -1 when there is none, or the system does not show. */
  static double serverSeconds() {
    List<ProcessHandle> servers = named("postgres", "mysqld", "mariadbd");
    return servers.isEmpty() || !areShown() ? -1 : seconds(servers);
  }

  /** The seconds of JVMs; 0 where the system does not show. */
  static double jvmSeconds() {
    return areShown() ? seconds(jvms()) : 0;
  }

  static List<ProcessHandle> jvms() {
    return named("java");
  }

  private static List<ProcessHandle> named(String... programs) {
    return ProcessHandle.current()
        .descendants()
        .filter(process -> Stream.of(programs).anyMatch(each -> runs(process, each)))
        .toList();
  }

  private static boolean runs(ProcessHandle process, String program) {
    return process.info().command().orElse("").endsWith("/" + program);
  }

  private static boolean areShown() {
    return Files.isDirectory(Path.of("/proc/self"));
  }

  private static double seconds(List<ProcessHandle> processes) {
    return processes.stream().mapToDouble(Children::seconds).sum();
  }

  private static double seconds(ProcessHandle process) {
    try {
      return seconds(Files.readString(Path.of("/proc/" + process.pid() + "/stat")));
    } catch (IOException ended) {
      return 0; // its time is its parent's now
    }
  }

  /** Of a line of {@code /proc/PID/stat}: its own time and that of its ended children. */
  static double seconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int field = 11; field <= 14; field++) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks / TICKS_PER_SECOND;
  }
}
