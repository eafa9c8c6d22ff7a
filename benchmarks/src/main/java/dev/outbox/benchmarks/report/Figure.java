package dev.outbox.benchmarks.report;

import java.util.List;

/**
 * One measured quantity of one contender: what each run gave, and the median.
 *
 * <p>Immutable.
 */
public record Figure(
    String workload,
    String database,
    Variant variant,
    String contender,
    String quantity,
    String unit,
    double median,
    List<Double> runs) {}
