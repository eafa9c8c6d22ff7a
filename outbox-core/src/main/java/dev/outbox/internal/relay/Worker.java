package dev.outbox.internal.relay;

import java.time.Duration;

/**
 * The relay's work, done in turns by one thread, which owns all of its state.
 *
 * <p>Not safe for use by several threads. Every method may throw {@link dev.outbox.StoreException};
 * the state is then as good as before and the turn can be taken again.
 */
public interface Worker extends AutoCloseable {
  /** Does what there is to do now. False when there was nothing. */
  boolean step();

  /** The next turn looks everywhere, also where it is not yet time to look. */
  void lookEverywhere();

  /** Ends the rests after slow reads. True when these kept something from being read. */
  boolean endRests();

  /** How many messages a publisher has not answered between two turns. By rows a turn waits. */
  default int unanswered() {
    return 0;
  }

  /** A turn that goes on takes nothing new from now on; called from any thread. */
  default void stop() {}

  /** Takes nothing new, ends what was begun. True when everything has ended. */
  boolean windDown();

  /** Ends at the deadline: writes what is known and gives up the rest. */
  void giveUp();

  /**
   * A turn failed: unless the store was only slow, what was known of the past of its tables may no
   * longer hold.
   */
  void afterFailure(RuntimeException failure);

  /** Cuts the connection, from any thread, so that a call that hangs ends. */
  void abort();

  /** The longest rest before the next turn; zero when more can be done at once. */
  Duration longestRest();

  /** Gives the connections back. */
  @Override
  void close();
}
