package dev.outbox.benchmarks.report;

/** A plot. Implementations are immutable. */
public interface Chart {
  /** The plot as an SVG document. */
  String svg();
}
