package dev.outbox.testkit.mutants;

import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.store.DeathReason;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.Parking;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import dev.outbox.testkit.crash.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A lane of a naive relay, and the one batch that it works on. */
final class NaiveLane {
  private static final long SURE = Stage.LEASE.multipliedBy(9).dividedBy(10).toNanos();
  private static final long RENEWAL = Stage.LEASE.dividedBy(3).toNanos();
  private static final long DEADLINE = Duration.ofSeconds(20).toNanos();
  private static final long A_WHILE = Duration.ofSeconds(1).toNanos();
  private static final int MOST_ATTEMPTS = 4;

  private final Lease lease;
  private final Set<HeldKey> held;
  private final Bug bug;
  private final List<Stored> aboard = new ArrayList<>();
  private final List<Fate> fates = new ArrayList<>();
  private final Map<Long, Long> retries = new HashMap<>();
  private final Map<Long, Integer> failures = new HashMap<>();
  private @Nullable NaiveFlight flight;
  private long confirmed;
  private long restsUntil;

  NaiveLane(LaneClaim claim, long now, Bug bug) {
    this.lease = claim.lease();
    this.held = new HashSet<>(claim.held());
    this.confirmed = now;
    this.restsUntil = now;
    this.bug = bug;
  }

  Lease lease() {
    return lease;
  }

  boolean isSure(long now) {
    return now - confirmed < SURE;
  }

  boolean needsRenewal(long now) {
    return now - confirmed >= RENEWAL;
  }

  boolean isInTheAir() {
    return flight != null;
  }

  boolean isFinished() {
    return flight == null && !fates.isEmpty();
  }

  boolean isIdle(long now) {
    return flight == null && fates.isEmpty() && !isResting(now);
  }

  boolean isResting(long now) {
    return now < restsUntil;
  }

  /** Of each key the first flies, unless the key is held; the others stay for the next batch. */
  void begin(List<Stored> read, long now) {
    aboard.clear();
    Set<HeldKey> taken = new HashSet<>();
    for (Stored stored : read) {
      HeldKey key = stored.holdable();
      Stored.Defect defect = stored.defect();
      boolean follows = key != null && taken.contains(key) && bug != Bug.TWO_OF_A_KEY;
      if (retries.getOrDefault(stored.id(), now) > now) {
        continue;
      }
      if (key != null && !stored.isParked() && held.contains(key)) {
        fates.add(new Fate.Park(stored, HoldReason.FOLLOWER, 0, null, null, ""));
      } else if (!follows && defect != null) {
        fates.add(new Fate.Bury(stored, defect.reason(), defect.detail(), 0, "", false));
        take(key, taken);
      } else if (!follows) {
        aboard.add(stored);
        take(key, taken);
      }
    }
    if (aboard.isEmpty() && fates.isEmpty()) {
      restsUntil = read.isEmpty() ? restsUntil : now + A_WHILE;
    }
  }

  private static void take(@Nullable HeldKey key, Set<HeldKey> taken) {
    if (key != null) {
      taken.add(key);
    }
  }

  List<Stored> aboard() {
    return List.copyOf(aboard);
  }

  /** What was read stays where it is. */
  void forget() {
    aboard.clear();
    fates.clear();
  }

  void fly(Publisher publisher, List<Stored> some, LongSupplier nanos) {
    NaiveFlight taking = new NaiveFlight(publisher, some, nanos, nanos.getAsLong() + DEADLINE);
    flight = taking;
    try {
      publisher.publish(taking);
    } catch (Exception thrown) {
      taking.answerTheRest(Ack.of(thrown));
    }
    land(nanos.getAsLong());
  }

  /** Turns the answers into fates, once all are there or the time is over. */
  void land(long now) {
    NaiveFlight landing = flight;
    if (landing == null || !(landing.isAnswered() || landing.isLate(now))) {
      return;
    }
    flight = null;
    boolean all = true;
    List<Fate> decided = new ArrayList<>();
    for (Stored stored : landing.aboard()) {
      Ack ack = landing.answer(stored);
      all &= ack instanceof Ack.Delivered;
      decide(stored, ack, now, decided);
    }
    if (!all && bug == Bug.WHOLE_BATCH_ROLLBACK) {
      decided.removeIf(Fate.Deliver.class::isInstance);
      restsUntil = now + A_WHILE;
    }
    fates.addAll(decided);
  }

  private void decide(Stored stored, Ack ack, long now, List<Fate> decided) {
    if (ack instanceof Ack.Delivered) {
      decided.add(new Fate.Deliver(stored));
    } else if (ack instanceof Ack.Rejected rejected) {
      decided.add(new Fate.Bury(stored, DeathReason.REJECTED, rejected.reason(), 1, "", false));
    } else if (ack instanceof Ack.Failed) {
      failed(stored, now, decided);
    } else {
      restsUntil = now + A_WHILE;
    }
  }

  private void failed(Stored stored, long now, List<Fate> decided) {
    Parking parking = stored.parking();
    int attempts = failures.merge(stored.id(), 1, Integer::sum);
    attempts = Math.max(attempts, (parking == null ? 0 : parking.attempts()) + 1);
    if (attempts >= MOST_ATTEMPTS) {
      decided.add(new Fate.Bury(stored, DeathReason.EXHAUSTED, "no", attempts, "", false));
    } else if (bug == Bug.RETRY_OVERTAKES) {
      retries.put(stored.id(), now + A_WHILE);
    } else {
      Duration rest = Duration.ofSeconds(1);
      decided.add(new Fate.Park(stored, HoldReason.FAILED, attempts, rest, "no", ""));
    }
  }

  /**
   * Fates are written only when nothing is in the air; a lane with a flight is never given back.
   */
  Settlement settlement(boolean leaving) {
    List<Fate> written = flight == null ? fates : List.of();
    Settlement.After after =
        leaving && flight == null ? Settlement.After.RELEASE : Settlement.After.RENEW;
    return new Settlement(lease, 0, written, after);
  }

  void settled(List<Fate> written, Outcome.Settled outcome, long before) {
    confirmed = before;
    for (Fate fate : written) {
      HeldKey key = fate.stored().holdable();
      if (fate instanceof Fate.Park && key != null && bug != Bug.PARK_FORGETS_FOLLOWERS) {
        held.add(key);
      }
    }
    held.removeAll(outcome.freed());
    fates.removeAll(written);
  }
}
