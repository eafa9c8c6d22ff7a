package dev.outbox.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The processor time of the servers that this process has started, their ended children included.
 *
 * <p>Stateless.
 */
final class ServerCpu {
  private static final double TICKS_PER_SECOND = 100;

  private ServerCpu() {}

  /** That many seconds until now; -1 when there is no such server, or the system does not show. */
  static double seconds() {
    List<ProcessHandle> servers =
        ProcessHandle.current().descendants().filter(ServerCpu::isServer).toList();
    if (servers.isEmpty() || !Files.isDirectory(Path.of("/proc/self"))) {
      return -1;
    }
    return servers.stream().mapToDouble(ServerCpu::seconds).sum();
  }

  private static boolean isServer(ProcessHandle process) {
    String command = process.info().command().orElse("");
    return command.endsWith("/postgres")
        || command.endsWith("/mysqld")
        || command.endsWith("/mariadbd");
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
