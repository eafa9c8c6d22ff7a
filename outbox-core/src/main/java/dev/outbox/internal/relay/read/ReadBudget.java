package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.RelaySettings;

/**
 * How much may be read, so that what the relay holds in memory stays within its bounds in messages
 * and bytes, and no lane takes the room of all others.
 *
 * <p>Used by one thread.
 */
/*
 * Half of the messages are shared evenly, so that a lane that begins to move always finds room, however slow the others are:
 * as much of its part as a lane does not hold is kept free for it. The rest goes to whoever asks. Bytes are bounded by the
 * store, read by read, because only it knows the sizes.
 */
public final class ReadBudget {
  private final RelaySettings.Volume volume;

  public ReadBudget(RelaySettings.Volume volume) {
    this.volume = volume;
  }

  /** The part of the room that is kept for each of {@code owned} lanes. */
  int reserved(int owned) {
    return volume.messages() / 2 / Math.max(1, owned);
  }

  /**
   * The most messages to read from each of {@code asking} lanes, of {@code owned}, when so many are
   * {@code taken}: held, or kept free for lanes that do not ask; at least 1.
   */
  public int perLane(int asking, int owned, int taken) {
    int even = (volume.messages() - taken) / Math.max(1, asking);
    return Math.max(1, Math.min(volume.batch(), Math.max(reserved(owned), even)));
  }

  /** The most lanes to read from, when {@code held} messages are in memory; may be 0. */
  public int lanes(int held) {
    return Math.max(0, volume.messages() - held);
  }

  /** The payload bytes that may be read when {@code held} are in memory; may be 0. */
  public long bytes(long held) {
    return Math.max(0, volume.bytes() - held);
  }
}
