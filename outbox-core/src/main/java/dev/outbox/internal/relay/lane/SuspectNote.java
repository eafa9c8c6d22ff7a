package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.spi.lane.Suspect;
import org.jspecify.annotations.Nullable;

/**
 * What the lane's row says of its suspect.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A message that is to fly alone is counted in the row first, and the lane's next owner takes the count for deaths. So
 * something is written back where no death can have been: what the row said before, when the flight never took off; no
 * suspect, when the flight came back without a fate, because then no settlement clears the row. Until that is written,
 * nothing of the lane flies, and the lane is neither claimed anew nor released.
 */
final class SuspectNote {
  private @Nullable Suspect before;
  private @Nullable OpenFlight alone;
  private boolean cameBack;

  SuspectNote(@Nullable Suspect before) {
    this.before = before;
  }

  /** Is about to be written; without an answer it may have been. */
  void write(OpenFlight flight) {
    alone = flight;
    cameBack = false;
  }

  /** Nothing is to be written back: the row never had it, or keeps it. */
  void over() {
    alone = null;
  }

  /** The relay has outlived the flight; a settlement clears the row if the message has a fate. */
  void landed(boolean hasFate) {
    cameBack = !hasFate;
    alone = hasFate ? null : alone;
  }

  /** A settlement with fates was written, or ids went back: what the row said before is over. */
  void forget() {
    before = null;
  }

  /** True while something is to be written back. */
  boolean isPending() {
    return alone != null && (cameBack || alone.isGrounded());
  }

  /** What is to be written back into the row, or null when nothing is. */
  @Nullable Suspect toRestore() {
    if (alone == null || !isPending()) {
      return null;
    }
    long id = alone.aboard().get(0).id();
    Suspect known = cameBack ? null : before;
    return known != null && known.id() == id ? known : new Suspect(id, 0);
  }

  /** It was written back. */
  void restored(Suspect suspect) {
    before = suspect;
    alone = null;
  }
}
