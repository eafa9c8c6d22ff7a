package dev.outbox.benchmarks;

import dev.outbox.benchmarks.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Where it is measured, for the record. Stateless. */
final class Surroundings {
  private Surroundings() {}

  static void tell(Setting setting, Report report) throws IOException {
    report.surroundings("when", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    report.surroundings("server", setting.database().server().source());
    report.surroundings(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    report.surroundings(
        "system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    report.surroundings(
        "machine",
        "%d processors of %s, %s"
            .formatted(Runtime.getRuntime().availableProcessors(), processor(), memory()));
    if (setting.quick()) {
      report.surroundings("quick", "a look, not a figure");
    }
  }

  private static String processor() throws IOException {
    return value(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch"));
  }

  private static String memory() throws IOException {
    String total = value(Path.of("/proc/meminfo"), "MemTotal", "");
    return total.isEmpty()
        ? "memory unknown"
        : String.format(
            Locale.ROOT, "%.0f GiB", Double.parseDouble(total.split(" ", -1)[0]) / 1024 / 1024);
  }

  private static String value(Path file, String name, String otherwise) throws IOException {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(otherwise);
  }
}
