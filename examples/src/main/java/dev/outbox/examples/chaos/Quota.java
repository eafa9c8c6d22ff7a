package dev.outbox.examples.chaos;

/**
 * How many messages a writer process still has to write.
 *
 * <p>Safe for use by many threads.
 */
final class Quota {
  private int left;

  Quota(int left) {
    this.left = Math.max(0, left);
  }

  /** Takes up to {@code wanted} messages; none when nothing is left. */
  synchronized int take(int wanted) {
    int taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  }

  /** Gives back what was taken and not written. */
  synchronized void giveBack(int messages) {
    left += messages;
  }
}
