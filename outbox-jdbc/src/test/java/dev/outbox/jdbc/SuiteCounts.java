package dev.outbox.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Counts what ran in each top-level test class, and so on each database: Surefire's own reports
 * name the contract that a test is in, which is the same for all of them.
 */
public final class SuiteCounts implements TestExecutionListener {
  private final Map<String, Count> suites = new TreeMap<>();

  private static final class Count {
    private int passed;
    private int failed;
    private int skipped;
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      switch (result.getStatus()) {
        case SUCCESSFUL -> count(test).passed++;
        case FAILED -> count(test).failed++;
        case ABORTED -> count(test).skipped++;
      }
    } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
      count(test).skipped++;
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    count(test).skipped++;
  }

  private Count count(TestIdentifier test) {
    return suites.computeIfAbsent(suite(test), name -> new Count());
  }

  private static String suite(TestIdentifier test) {
    for (UniqueId.Segment segment : test.getUniqueIdObject().getSegments()) {
      if (segment.getType().equals("class")) {
        return segment.getValue().substring(segment.getValue().lastIndexOf('.') + 1);
      }
    }
    return "engine";
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    List<String> lines = new ArrayList<>();
    suites.forEach(
        (name, count) ->
            lines.add(
                "%-32s passed %4d, failed %d, skipped %d"
                    .formatted(name, count.passed, count.failed, count.skipped)));
    try {
      Files.write(
          Path.of("target", "suites" + System.getProperty("outbox.servers", "") + ".txt"), lines);
    } catch (IOException e) {
      throw new UncheckedIOException("the counts of the suites cannot be written", e);
    }
  }
}
