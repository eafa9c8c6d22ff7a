package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.OwnedLanes;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes of this relay: takes its fair share and gives back what is over.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Fair share is ceil(lanes / sharing relays), so that together the relays can always own all lanes. A relay below its
 * share claims when a look has seen free lanes: those of a dead relay come free at their lease's end without a signal.
 * A relay above its share picks the lanes with the least work, takes nothing new from them, and releases each when
 * nothing of it is in flight.
 *
 * A relay that finds every broker down keeps one lane to probe with, if there is another that may be better off; alone,
 * it keeps them all.
 *
 * A connection that is lost may be lost with all that was written lately, as when an older standby takes the place of
 * the database. So the relay claims its lanes again then, each as soon as nothing of it is under way: with the keys
 * that are held in it now, and under a higher epoch.
 *
 * A claim whose answer was lost may have been written. The relay asks what is under its name that it does not know, at
 * the next turn and at every beat while that is in doubt, and so does a relay that closes.
 *
 * The loop itself keeps the leases. Its own thread would go on renewing for a loop that is dead or stuck.
 */
public final class LeaseKeeper {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

  private final OwnedLanes owned;
  private final LaneStore store;
  private final Presence presence;
  private final RelaySettings settings;
  private final DeliveryRules deliveryRules;
  private final Ticker ticker;
  private final int lanes;
  private final UnansweredClaims unansweredClaims;
  private boolean claimDue = true;
  private Share wanted = Share.FAIR;
  private Ticker.@Nullable Moment askedWhoLeft;

  /** How many lanes a relay should own. */
  public enum Share {
    /** As many as every other relay that shares. */
    FAIR,
    /** One to probe with, while every broker is down, if others are better off. */
    ONE,
    /** None: it cannot publish anything. */
    NONE
  }

  public LeaseKeeper(
      LaneStore store,
      OwnedLanes owned,
      Presence presence,
      RelaySettings settings,
      Ticker ticker,
      DeliveryRules deliveryRules,
      int lanes) {
    this.store = store;
    this.owned = owned;
    this.presence = presence;
    this.settings = settings;
    this.ticker = ticker;
    this.deliveryRules = deliveryRules;
    this.lanes = lanes;
    this.unansweredClaims = new UnansweredClaims(settings.leasing().lease());
  }

  /**
   * Says that this relay lives, and marks what is above its share to be released. True when it did,
   * which is about every renewal.
   */
  public boolean adjust(Share wanted) {
    this.wanted = wanted;
    boolean beaten = presence.beat(wanted == Share.FAIR, ticker.now());
    if (beaten) {
      claimDue = true;
      unansweredClaims.renew();
      releaseSurplus();
    }
    return beaten;
  }

  /** A look found {@code free} lanes without an owner: a relay may just have left them. */
  public void freeLanes(int free) {
    claimDue |= free > 0;
    Ticker.Moment now = ticker.now();
    boolean hasItsShare = free > 0 && owned.runs().size() >= share();
    if (hasItsShare && !now.isWithin(settings.deadlines().poll(), askedWhoLeft)) {
      askedWhoLeft = now;
      presence.hurry();
    }
  }

  /**
   * Takes what a claim in doubt has taken, and what is missing to the share. True when lanes were
   * taken. Comes after the renewals of a turn: a relay that cannot renew what it has needs no more,
   * unless only locked rows are in its way.
   */
  public boolean claim() {
    boolean found = (forgetDoubted() || unansweredClaims.isDue()) && reclaim();
    return claimMissing() || found;
  }

  /**
   * Nothing is known for sure of any lane: each is claimed again when nothing of it is under way.
   */
  public void doubtAll() {
    owned.runs().forEach(LaneRun::doubt);
  }

  /** True while a lane is not claimed again that is to be. */
  public boolean isAnyStale() {
    return owned.runs().awake().any(LaneRun::isStale);
  }

  private boolean forgetDoubted() {
    List<LaneRun> doubted = owned.runs().awake().those(LaneRun::isToBeReclaimed);
    doubted.forEach(run -> drop(run.lane()));
    return !doubted.isEmpty();
  }

  /** Takes what a claim in doubt has taken, as a relay that closes must to release it. */
  public void claimDoubtful() {
    if (unansweredClaims.isOpen()) {
      reclaim();
    }
  }

  private boolean reclaim() {
    Ticker.Moment now = ticker.now();
    Set<Lane> known = known();
    return took(
        "after a lost connection leased again",
        unansweredClaims.resolve(now, () -> store.reclaim(known)),
        now);
  }

  private boolean claimMissing() {
    Ticker.Moment now = ticker.now();
    int missing = share() - owned.runs().size();
    if (!claimDue || missing <= 0 || !owned.runs().all(run -> run.isSure(now) || run.isLocked())) {
      return false;
    }
    claimDue = false;
    Set<Lane> known = known();
    return took(
        "leased",
        unansweredClaims.during(now, () -> Recording.claim(() -> store.claim(missing, known))),
        now);
  }

  private Set<Lane> known() {
    return owned.runs().stream().map(LaneRun::lane).collect(Collectors.toUnmodifiableSet());
  }

  /** The next turn adjusts whatever the time. */
  public void hurry() {
    claimDue = true;
    presence.hurry();
  }

  private int share() {
    int others = presence.others();
    if (wanted != Share.FAIR && others > 0) {
      return wanted == Share.ONE ? 1 : 0;
    }
    return (lanes + others) / (others + 1);
  }

  private boolean took(String how, List<LaneClaim> claims, Ticker.Moment now) {
    for (LaneClaim claim : claims) {
      // an own one, if the database's clock was set forward, is dropped: its epoch is another now
      owned.add(new LaneRun(claim, now, settings.leasing().sureFor(), deliveryRules));
    }
    if (!claims.isEmpty()) {
      settings
          .listener()
          .claimed(
              claims.stream()
                  .map(claim -> claim.lease().lane().number())
                  .collect(Collectors.toCollection(TreeSet::new)));
      log.info(
          "relay={} {} {} lanes, now holds {} of {}",
          settings.name(),
          how,
          claims.size(),
          owned.runs().size(),
          lanes);
    }
    return !claims.isEmpty();
  }

  private void releaseSurplus() {
    List<LaneRun> staying = owned.runs().those(run -> !run.isLeaving());
    staying.stream()
        .sorted(Comparator.comparingInt(LaneRun::size))
        .limit(Math.max(0, staying.size() - share()))
        .forEach(LaneRun::leave);
  }

  /** All lanes are to be released. */
  public void leaveAll() {
    owned.runs().forEach(LaneRun::leave);
  }

  /** The lane is no longer ours. */
  void drop(Lane lane) {
    owned.drop(lane);
  }

  /** The lanes of this relay, in ascending order. */
  public Lanes<LaneRun> runs() {
    return owned.runs();
  }

  /** When the oldest lease was last confirmed, or null without any. */
  public Ticker.@Nullable Moment oldestLease() {
    return owned.runs().stream()
        .map(LaneRun::confirmed)
        .min(Comparator.comparingLong(Ticker.Moment::nanos))
        .orElse(null);
  }

  @Nullable LaneRun run(Lane lane) {
    return owned.run(lane);
  }
}
