package dev.outbox.testkit.mutants;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.testkit.crash.CrashRun;
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
  private static final long SURE = CrashRun.LEASE.multipliedBy(9).dividedBy(10).toNanos();
  private static final long RENEWAL = CrashRun.LEASE.dividedBy(3).toNanos();
  private static final long DEADLINE = Duration.ofSeconds(20).toNanos();
  private static final long A_WHILE = Duration.ofSeconds(1).toNanos();
  private static final int MOST_ATTEMPTS = 4;

  private final Lease lease;
  private final Set<HeldKey> held;
  private final Bug bug;
  private final List<StoredEnvelope> aboard = new ArrayList<>();
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

  boolean isInFlight() {
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
  void begin(List<StoredEnvelope> read, long now) {
    aboard.clear();
    Set<HeldKey> taken = new HashSet<>();
    for (StoredEnvelope storedEnvelope : read) {
      HeldKey key = storedEnvelope.holdable();
      StoredEnvelope.Defect defect = storedEnvelope.defect();
      boolean follows = key != null && taken.contains(key) && bug != Bug.TWO_OF_A_KEY;
      if (retries.getOrDefault(storedEnvelope.id(), now) > now) {
        continue;
      }
      if (key != null && !storedEnvelope.isParked() && held.contains(key)) {
        fates.add(new Fate.Park(storedEnvelope, HoldReason.FOLLOWER, 0, null, null, ""));
      } else if (!follows && defect != null) {
        fates.add(new Fate.Bury(storedEnvelope, defect.reason(), defect.detail(), 0, "", false));
        take(key, taken);
      } else if (!follows) {
        aboard.add(storedEnvelope);
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

  List<StoredEnvelope> aboard() {
    return List.copyOf(aboard);
  }

  /** What was read stays where it is. */
  void forget() {
    aboard.clear();
    fates.clear();
  }

  void fly(Publisher publisher, List<StoredEnvelope> some, LongSupplier nanos) {
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
    for (StoredEnvelope storedEnvelope : landing.aboard()) {
      Ack ack = landing.answer(storedEnvelope);
      all &= ack instanceof Ack.Delivered;
      decide(storedEnvelope, ack, now, decided);
    }
    if (!all && bug == Bug.WHOLE_BATCH_ROLLBACK) {
      decided.removeIf(Fate.Deliver.class::isInstance);
      restsUntil = now + A_WHILE;
    }
    fates.addAll(decided);
  }

  private void decide(StoredEnvelope storedEnvelope, Ack ack, long now, List<Fate> decided) {
    if (ack instanceof Ack.Delivered) {
      decided.add(new Fate.Deliver(storedEnvelope));
    } else if (ack instanceof Ack.Rejected rejected) {
      decided.add(new Fate.Bury(storedEnvelope, Reason.REJECTED, rejected.reason(), 1, "", false));
    } else if (ack instanceof Ack.Failed) {
      failed(storedEnvelope, now, decided);
    } else {
      restsUntil = now + A_WHILE;
    }
  }

  private void failed(StoredEnvelope storedEnvelope, long now, List<Fate> decided) {
    RetryState retryState = storedEnvelope.retryState();
    int attempts = failures.merge(storedEnvelope.id(), 1, Integer::sum);
    attempts = Math.max(attempts, (retryState == null ? 0 : retryState.attempts()) + 1);
    if (attempts >= MOST_ATTEMPTS) {
      decided.add(new Fate.Bury(storedEnvelope, Reason.EXHAUSTED, "no", attempts, "", false));
    } else if (bug == Bug.RETRY_OVERTAKES) {
      retries.put(storedEnvelope.id(), now + A_WHILE);
    } else {
      Duration rest = Duration.ofSeconds(1);
      decided.add(new Fate.Park(storedEnvelope, HoldReason.FAILED, attempts, rest, "no", ""));
    }
  }

  /** Fates are written only when nothing is in flight; a lane with a flight is never given back. */
  Settlement settlement(boolean leaving) {
    List<Fate> written = flight == null ? fates : List.of();
    Settlement.After after =
        leaving && flight == null ? Settlement.After.RELEASE : Settlement.After.RENEW;
    return new Settlement(lease, 0, written, after);
  }

  void settled(List<Fate> written, SettleResult.Settled outcome, long before) {
    confirmed = before;
    for (Fate fate : written) {
      HeldKey key = fate.storedEnvelope().holdable();
      if (fate instanceof Fate.Park && key != null && bug != Bug.PARK_FORGETS_FOLLOWERS) {
        held.add(key);
      }
    }
    held.removeAll(outcome.freed());
    fates.removeAll(written);
  }
}
