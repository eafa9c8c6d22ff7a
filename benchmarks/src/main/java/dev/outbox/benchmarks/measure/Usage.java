package dev.outbox.benchmarks.measure;

/**
 * What was used between two readings. What the server does not show is -1.
 *
 * <p>Immutable.
 */
public record Usage(
    long commits, long statements, long logBytes, double serverSeconds, double jvmSeconds) {

  /** Adds it to {@code measures}, for each of {@code messages}. */
  public void perMessage(Measures measures, long messages) {
    if (commits >= 0) {
      measures.put("commits", "per message", (double) commits / messages);
    }
    if (statements >= 0) {
      measures.put("statements", "per message", (double) statements / messages);
    }
    if (logBytes >= 0) {
      measures.put("log", "bytes per message", (double) logBytes / messages);
    }
    processorPerMessage(measures, messages);
  }

  /** Adds the processor time alone. */
  public void processorPerMessage(Measures measures, long messages) {
    if (serverSeconds >= 0) {
      measures.put("server CPU", "us per message", serverSeconds * 1e6 / messages);
    }
    measures.put("JVM CPU", "us per message", jvmSeconds * 1e6 / messages);
  }
}
