package dev.outbox.internal.relay;

import dev.outbox.store.Stored;
import java.util.List;

/**
 * How many messages may be read, so that what the relay holds in memory stays within its bounds in
 * messages and bytes. The size of a message is guessed from those read lately: high at first, fast
 * to rise, slow to fall.
 *
 * <p>Used by one thread.
 */
final class ReadBudget {
  private static final long FIRST_GUESS = 64 * 1024;
  private static final long OVERHEAD = 200;

  private final RelaySettings.Volume volume;
  private long guess = FIRST_GUESS;

  ReadBudget(RelaySettings.Volume volume) {
    this.volume = volume;
  }

  /** From how many lanes may be read while {@code held} messages are in memory; may be 0. */
  int lanes(int held) {
    return (int) Math.max(0, Math.min(volume.messages(), fitting()) - held);
  }

  /** The most to read from each of {@code lanes} lanes, at least 1. */
  int perLane(int lanes, int held) {
    long each = lanes(held) / Math.max(1, lanes);
    return (int) Math.max(1, Math.min(volume.batch(), each));
  }

  private long fitting() {
    return Math.max(1, volume.bytes() / guess);
  }

  /** Learns the sizes of messages just read. */
  void learn(List<Stored> read) {
    if (read.isEmpty()) {
      return;
    }
    long bytes =
        read.stream()
            .mapToLong(stored -> stored.envelope().payload().bytes().length + OVERHEAD)
            .sum();
    long mean = bytes / read.size();
    guess = mean >= guess ? mean : Math.max(mean, guess / 2);
  }
}
