package dev.outbox.internal.relay.read;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that ids or epochs are given again, as after a restore, a failover or a TRUNCATE.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Everything a relay leaves out rests on ids that rise: what is below a floor is not read. So about once a second it
 * asks for the next id, which is one small read. When that lies at or below an id that it has seen, ids went back; once
 * the tables have shown ids that are yet to be given, so does an answer below the last one. What the tables show is
 * asked then, in a new session, and when messages turned up below a floor: it costs more.
 *
 * While the tables show ids that are yet to be given, no floor may rise above the last id that was given, or messages
 * to come would lie below it. So that id is the ceiling of the safe id until an operator has raised the next one.
 */
public final class IdWatch {
  private static final Logger log = LoggerFactory.getLogger(IdWatch.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final int SHARE_OF_TIME = 20;

  private final LaneStore store;
  private final String relay;
  private final Ticker ticker;
  private final DutyCycle slow = new DutyCycle(Duration.ZERO, SHARE_OF_TIME);
  private final Map<Lane, Lease> leases = new HashMap<>();
  private final Map<Lane, Long> highestEpochs = new HashMap<>();
  private final Set<Lane> fallen = new TreeSet<>();
  private Ticker.@Nullable Moment lastLook;
  private boolean inDoubt = true;
  private long next;
  private boolean wentBack;
  private boolean untoldFall;
  private String idsReason = "";
  private String epochsReason = "";

  IdWatch(LaneStore store, String relay, Ticker ticker) {
    this.store = store;
    this.relay = relay;
    this.ticker = ticker;
  }

  /** The next look asks what the tables show, whatever the time. */
  void doubt() {
    inDoubt = true;
    lastLook = null;
  }

  /**
   * Looks, if it is time to; {@code known} is the highest id that this relay knows to be given.
   * True when all that it knows of ids is to be forgotten.
   */
  boolean look(LongSupplier known, Ticker.Moment now) {
    if (now.isWithin(BETWEEN_LOOKS, lastLook)) {
      return false;
    }
    lastLook = now;
    long seen = known.getAsLong();
    long before = next;
    long told = store.nextId();
    boolean fell = wentBack ? told < before : told <= seen;
    next = told;
    if (told == LaneStore.UNTOLD || (!inDoubt && !fell && !wentBack)) {
      return false;
    }
    boolean wasBack = wentBack;
    GivenIds given = given(told, now);
    inDoubt = given == null;
    if (given != null) {
      judge(told, given);
    }
    if (fell && !wentBack && !wasBack) {
      log.warn(
          "relay={} ids went back: the next id is {}, but {} was used before; reading all lanes from the start",
          relay,
          told,
          Math.max(seen, before - 1));
    }
    return fell || (wentBack && !wasBack);
  }

  /** What the tables show; nothing when the last answer took so long that it is not time to ask. */
  private @Nullable GivenIds given(long told, Ticker.Moment now) {
    if (slow.isResting(now)) {
      return null;
    }
    Ticker.Moment before = ticker.now();
    try {
      return store.given(told);
    } catch (StoreException e) {
      if (!e.isSlow()) {
        throw e;
      }
      return null;
    } finally {
      Ticker.Moment after = ticker.now();
      slow.ended(after, after.surelySince(before));
    }
  }

  private void judge(long told, GivenIds given) {
    boolean wasBack = wentBack;
    // asked again: writers may have taken ids while the tables were looked at
    wentBack = given.reach(told) && given.reach(store.nextId());
    if (wentBack && !wasBack) {
      idsReason =
          "ids went back: the next id is %d, but %d was used before. %s"
              .formatted(told, given.highest(), given.remedy());
      log.warn(
          "relay={} {}; until then reads are slower, and a new message may have the id of an old one",
          relay,
          idsReason);
    } else if (wasBack && !wentBack) {
      idsReason = "";
      log.info("relay={} ids increase again, the next id is {}", relay, told);
    }
  }

  /** True while the tables show ids that are yet to be given. */
  boolean wentBack() {
    return wentBack;
  }

  /** The id above which no floor may rise. */
  long ceiling() {
    return wentBack ? next - 1 : Long.MAX_VALUE;
  }

  /** These are the lanes of this relay now. */
  public void leased(Collection<? extends ReadableLane> runs) {
    Set<Lane> owned = runs.stream().map(ReadableLane::lane).collect(Collectors.toSet());
    leases.keySet().retainAll(owned);
    fallen.retainAll(owned);
    for (ReadableLane run : runs) {
      Lease lease = run.lease();
      Lease before = leases.put(lease.lane(), lease);
      if (!lease.equals(before)) {
        leasedAnew(lease);
      }
    }
    tellEpochs();
  }

  private void leasedAnew(Lease lease) {
    long highest = highestEpochs.getOrDefault(lease.lane(), -1L);
    highestEpochs.put(lease.lane(), Math.max(highest, lease.epoch()));
    if (lease.epoch() > highest) {
      fallen.remove(lease.lane());
    } else {
      untoldFall |= fallen.add(lease.lane());
    }
  }

  private void tellEpochs() {
    if (fallen.isEmpty()) {
      untoldFall = false;
      epochsReason = "";
    } else if (untoldFall) {
      // ids that rise need no statement, and one that is run later could lower them
      GivenIds given = given(wentBack ? next : LaneStore.UNTOLD, ticker.now());
      if (given == null) {
        return;
      }
      epochsReason =
          "epochs went back in lanes %s, and with them the fencing tokens. %s"
              .formatted(
                  ShortText.ranges(fallen.stream().map(Lane::number).toList()), given.remedy());
      untoldFall = false;
      log.warn("relay={} {}", relay, epochsReason);
    }
  }

  /**
   * What is wrong and how it is mended; empty when ids and epochs rise. In the lanes {@code taken}
   * messages met others with their ids.
   */
  public String reason(Set<Lane> taken) {
    String reason = idsReason.isEmpty() ? epochsReason : idsReason;
    return taken.isEmpty()
        ? reason
        : "messages of lanes %s have ids that are taken by parked messages. %s"
            .formatted(new TreeSet<>(taken), reason)
            .strip();
  }
}
