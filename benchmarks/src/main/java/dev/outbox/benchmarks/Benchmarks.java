package dev.outbox.benchmarks;

import dev.outbox.benchmarks.report.Report;
import dev.outbox.benchmarks.workload.Workload;
import dev.outbox.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.util.List;

/**
 * Runs one workload: {@code WORKLOAD [--db postgres|mysql|mariadb|h2] [--contenders A,B] [--only
 * NAME=VALUE,...] [--rounds N] [--json FILE] [--plots FOLDER] [--quick]}.
 */
public final class Benchmarks {
  private Benchmarks() {}

  public static void main(String[] arguments) throws Exception {
    try {
      run(List.of(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  static void run(List<String> arguments) throws Exception {
    String name = arguments.isEmpty() ? "none" : arguments.get(0);
    Workload workload = Setting.known(Workloads.all(), "workload", name);
    Setting setting =
        Setting.of(arguments.subList(Math.min(1, arguments.size()), arguments.size()));
    Report report = new Report(System.out, name, setting.databaseName());
    Surroundings.tell(setting, report);
    if (setting.json() != null) {
      Files.createDirectories(setting.json().toAbsolutePath().getParent());
    }
    try {
      workload.run(setting, report);
    } finally {
      report.tellCompared();
    }
    if (setting.json() != null) {
      report.writeJson(setting.json());
    }
    if (setting.plots() != null) {
      report.writePlots(setting.plots());
    }
  }
}
