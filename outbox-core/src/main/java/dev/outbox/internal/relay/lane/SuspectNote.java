package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Suspect;
import org.jspecify.annotations.Nullable;

/**
 * What the lane's row says of its suspect.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A message that is to fly alone is counted in the row before. Its next owner takes the count for deaths. So the row
 * gets back what it said before when the flight never took off, and no suspect when it came back without a fate: a
 * settlement, which would clear it, does not come. Each way before the lane is claimed anew or released.
 */
public final class SuspectNote {
  private @Nullable Suspect before;
  private @Nullable OpenFlight alone;
  private boolean cameBack;

  SuspectNote(@Nullable Suspect before) {
    this.before = before;
  }

  /** Is about to be written; without an answer it may have been. */
  public void write(OpenFlight flight) {
    alone = flight;
    cameBack = false;
  }

  /** The row says what it said before: the note was refused. */
  public void refused() {
    alone = null;
  }

  void landed(OpenFlight flight) {
    Ack answer = flight.answer(0);
    cameBack = answer instanceof Ack.Unavailable || answer instanceof Ack.NotSent;
    alone = cameBack ? alone : null;
  }

  /** A settlement with fates was written, or ids went back. */
  void cleared() {
    before = null;
    alone = null;
  }

  /** True while something is to be written back. */
  public boolean isPending() {
    return toRestore() != null;
  }

  /** What is to be written back into the row, or null when nothing is. */
  @Nullable
  public Suspect toRestore() {
    if (alone == null || !(cameBack || alone.isGrounded())) {
      return null;
    }
    long id = alone.aboard().get(0).id();
    Suspect known = cameBack ? null : before;
    return known != null && known.id() == id ? known : new Suspect(id, 0);
  }

  /** It was written back. */
  public void restored(Suspect suspect) {
    before = suspect;
    alone = null;
  }
}
