package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;

/** One thing to measure. Implementations are stateless. */
public interface Workload {
  /**
   * Measures, checks and tells.
   *
   * @throws IllegalStateException when a contender loses or repeats a message, or fails
   */
  void run(Setting setting, Report report) throws Exception;
}
