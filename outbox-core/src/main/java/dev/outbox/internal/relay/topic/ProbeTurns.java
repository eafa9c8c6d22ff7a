package dev.outbox.internal.relay.topic;

/**
 * Whose turn a probe is. Every other one is a ready message: else sick parked ones, which fall due
 * with the probes, would keep a broker closed that has long been back.
 *
 * <p>Used by one thread.
 */
public final class ProbeTurns {
  private boolean ofReady;

  /** The next turn begins; it is that of ready messages first. */
  public void next() {
    ofReady = !ofReady;
  }

  public boolean isOfReady() {
    return ofReady;
  }
}
