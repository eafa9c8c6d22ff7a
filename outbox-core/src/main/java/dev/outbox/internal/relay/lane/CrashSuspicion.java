package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.SettleDecision;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a message of the lane may be what kills the relays that own it, and if so up to which.
 *
 * <p>Used by one thread.
 */
/*
 * A lane that was taken over three times without a message settled in between may hold a message that kills its
 * publisher. Any that its last owner could have had in flight is a suspect: those of the first read, and the parked
 * ones that are due. They are published one at a time, with nothing else of the relay in flight, each noted in the
 * lane's row before and settled after. So a death with one of them in flight is that message's, and no other's. After
 * three deaths it is a dead letter. Once all of the first read have settled, or when neither a ready nor a due message
 * is left, the lane is calm.
 */
final class CrashSuspicion {
  private static final int MOST_TAKEOVERS = 3;
  private static final int MOST_DEATHS = 3;
  private static final long UNKNOWN = Long.MAX_VALUE;

  private @Nullable Suspect suspect;
  private final SuspectNote note;
  private boolean careful;
  private long last = UNKNOWN;

  CrashSuspicion(LaneClaim claim) {
    this.suspect = claim.suspect();
    this.note = new SuspectNote(suspect);
    this.careful = suspect != null || claim.takeovers() >= MOST_TAKEOVERS;
  }

  SuspectNote note() {
    return note;
  }

  /** True when the messages of this lane are to be published one at a time. */
  boolean isCareful() {
    return careful;
  }

  /** True when it is known up to where to be careful, so that one message at a time is enough. */
  boolean hasSeenSuspects() {
    return careful && last != UNKNOWN;
  }

  /** A read returned these ready messages. */
  void read(List<StoredEnvelope> ready) {
    if (last == UNKNOWN) {
      last = ready.get(ready.size() - 1).id();
    }
  }

  /** There are no ready messages, and no parked ones that are due. */
  void empty() {
    careful = false;
  }

  /** Everything up to {@code id} has settled. */
  void settled(long id) {
    careful = careful && id < last;
  }

  /** Ids went back: the suspect's is another message's now. */
  void forget() {
    suspect = null;
    note.forget();
    last = UNKNOWN;
  }

  /** The fate of a message that has killed often enough, or null. */
  @Nullable Fate fate(StoredEnvelope storedEnvelope, SettleDecision decision, Ticker.Moment now) {
    Suspect known = suspect;
    if (known == null || known.id() != storedEnvelope.id() || known.deaths() < MOST_DEATHS) {
      return null;
    }
    return decision.deadly(storedEnvelope, known.deaths(), now);
  }
}
