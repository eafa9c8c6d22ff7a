package dev.outbox.testkit.schedule;

import dev.outbox.store.Claiming;
import dev.outbox.store.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Stage;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a scene, each in its place, and what waits for them at their steps.
 *
 * <p>Used by one thread.
 */
final class Crew {
  private static final Duration AFTER_REFUSALS = Duration.ofSeconds(2);

  /** A relay that has not taken a turn for so long may have lost leases: it renews that often. */
  private static final Duration SURE = Stage.LEASE.minus(Stage.LEASE.dividedBy(3));

  private final Scene scene;
  private final Settings settings;
  private final SplittableRandom random;
  private final Steps steps;
  private final @Nullable Member[] places;
  private final Map<String, Member> byName = new HashMap<>();
  private final Set<String> stoodStill = new HashSet<>();
  private int generations;

  /** A relay in its place. */
  final class Member {
    final int place;
    final String name;
    private final Worker worker;
    private final List<Decision.Ambush> ambushes = new ArrayList<>();
    private boolean busy;
    private boolean refused;
    private boolean leaves;
    private boolean mayGoOn;
    private Duration lastSure = scene.time().ofTheStore();

    Member(int place, String name) {
      this.place = place;
      this.name = name;
      this.worker = settings.recruiting().at(post(place, name));
    }

    /** Who has begun to leave does nothing else any more. */
    void goOn(Runnable work) {
      if (leaves) {
        leave(this);
      } else {
        work.run();
      }
    }

    /** True when it need not stand still any longer. */
    boolean mayGoOn() {
      return mayGoOn || steps.isDead(name);
    }
  }

  Crew(Scene scene, Settings settings, SplittableRandom random) {
    this.scene = scene;
    this.settings = settings;
    this.random = random;
    this.places = new @Nullable Member[settings.relays()];
    this.steps = new Steps(this::at, scene.ledger());
  }

  private Post post(int place, String name) {
    return new Post(
        name,
        scene.world().store(name, steps),
        steps.watch(name, scene.broker().publisher(name, scene.plan().answersLater(place))),
        scene.time()::nanos,
        () -> scene.time().wall(place),
        random.split(),
        scene.plan().batch());
  }

  /** The relay in this place; the first one comes by itself. */
  private @Nullable Member member(int place) {
    if (places[place] == null && byName.get(Decision.place(place)) == null) {
      recruit(place, Decision.place(place));
    }
    return places[place];
  }

  private void recruit(int place, String name) {
    Member member = new Member(place, name);
    places[place] = member;
    byName.put(name, member);
  }

  void join(int place) {
    if (member(place) == null) {
      recruit(place, Decision.place(place) + (++generations + 1));
      scene.ledger().count(Happening.JOIN);
    }
  }

  void turn(int place) {
    Member member = member(place);
    if (member != null) {
      work(member, () -> member.goOn(member.worker::turn));
    }
  }

  void drain(int place) {
    Member member = member(place);
    if (member != null) {
      work(member, () -> member.goOn(member.worker::drain));
    }
  }

  private void work(Member member, Runnable work) {
    if (member.busy) {
      return;
    }
    Duration began = scene.time().ofTheStore();
    member.busy = true;
    scene.time().tick();
    try {
      work.run();
      member.lastSure = began;
    } catch (StoreException e) {
      scene.ledger().count(Happening.FAILED_CALL);
    } catch (Crash crash) {
      // it is found among the dead
    } finally {
      member.busy = false;
    }
  }

  void ambush(Decision.Ambush ambush) {
    Member member = member(ambush.relay());
    if (member != null) {
      member.ambushes.add(ambush);
    }
  }

  /** Also calls off a pause that has not come about. */
  void resume(int place) {
    Member member = places[place];
    if (member != null) {
      member.mayGoOn = true;
      member.ambushes.removeIf(each -> each.deed() == Decision.Ambush.Deed.PAUSE);
    }
  }

  private void at(Steps all, Step step, Step.Side side) {
    Member member = byName.get(step.who());
    if (member == null || member.ambushes.isEmpty()) {
      return;
    }
    for (Decision.Ambush ambush : member.ambushes) {
      if (ambush.point() == step.point() && ambush.side() == side) {
        member.ambushes.remove(ambush);
        strike(member, ambush);
        return;
      }
    }
  }

  private void strike(Member member, Decision.Ambush ambush) {
    switch (ambush.deed()) {
      case DROP -> {
        scene.ledger().count(Happening.DROP);
        die(member.name, "dropped " + ambush.where());
      }
      case FAIL, CONTEND -> fail(member, ambush);
      case PAUSE -> pause(member, ambush);
    }
  }

  /** A failed call excuses nothing but what stands in the transaction of a claim by rows. */
  private void fail(Member member, Decision.Ambush ambush) {
    if (ambush.point() == CrashPoint.PUBLISH || ambush.point() == CrashPoint.ANSWER) {
      return; // no call to the store
    }
    boolean excuses = ambush.point() == CrashPoint.END_CLAIM;
    String where = "fails " + ambush.where();
    scene.ledger().of(excuses ? What.FAULT : What.NUISANCE, member.name, where);
    member.refused |= ambush.deed() == Decision.Ambush.Deed.CONTEND;
    throw ambush.deed() == Decision.Ambush.Deed.CONTEND && ambush.side() == Step.Side.BEFORE
        ? StoreException.contended(where, null)
        : StoreException.passing(where, null);
  }

  private void pause(Member member, Decision.Ambush ambush) {
    scene.ledger().count(Happening.PAUSE);
    scene.ledger().of(What.NUISANCE, member.name, "stands still " + ambush.where());
    member.mayGoOn = false;
    scene.standStill(member);
    if (steps.isDead(member.name)) {
      throw new Crash(member.name, "killed while it stood still");
    }
    scene.ledger().of(What.NUISANCE, member.name, "goes on " + ambush.where());
  }

  void kill(int place) {
    Member member = places[place];
    if (member != null && !steps.isDead(member.name)) {
      scene.ledger().count(Happening.KILL);
      dropped(member.name, "killed");
    }
  }

  /** Dies in the middle of what it does. */
  void die(String name, String why) {
    dropped(name, why);
    throw new Crash(name, why);
  }

  private void dropped(String name, String why) {
    if (!steps.isDead(name)) {
      scene.ledger().of(What.FAULT, name, why);
      steps.kill(name);
      stoodStill.add(name);
    }
  }

  /** Gives up what belongs to the dead, as soon as they have come back from where they died. */
  void forgetTheDead() {
    for (Member member : places) {
      if (member != null && !member.busy && steps.isDead(member.name)) {
        places[member.place] = null;
        member.worker.crash();
      }
    }
  }

  /** It hands nothing on any more from here on, also when it stands still while it is answered. */
  void close(int place, boolean patiently) {
    Member member = places[place];
    if (member == null || member.busy) {
      return;
    }
    work(
        member,
        () -> {
          if (patiently) {
            scene.broker().answerAll(member.name);
            restAfterRefusals(member);
          }
          leave(member);
        });
  }

  /** May fail, as any call: then it leaves the next time that it may do something. */
  private void leave(Member member) {
    member.leaves = true;
    scene.broker().abandon(member.name);
    member.worker.close();
    places[member.place] = null;
    member.ambushes.clear();
    scene.ledger().count(Happening.CLOSE);
    scene.ledger().of(What.CLOSED, member.name, "");
  }

  /** What the store refused is offered again after a rest, for which a close has patience. */
  private void restAfterRefusals(Member member) {
    if (member.refused) {
      try {
        scene.time().pass(AFTER_REFUSALS);
      } catch (Exception e) {
        throw new IllegalStateException("time cannot pass", e);
      }
    }
  }

  /**
   * Who has not worked for so long that others may have its lanes is excused for what it holds. A
   * claim by rows is held by its session, whatever the time.
   */
  void noteStandstills() {
    if (settings.claiming() == Claiming.ROWS) {
      return;
    }
    Duration now = scene.time().ofTheStore();
    for (Member member : places) {
      if (member != null && now.minus(member.lastSure).compareTo(SURE) >= 0) {
        scene.ledger().of(What.FAULT, member.name, "stands still for longer than its leases");
        scene.ledger().count(Happening.STANDSTILL);
        stoodStill.add(member.name);
      }
    }
  }

  boolean hasStoodStill(String name) {
    return stoodStill.contains(name);
  }

  /** True for nobody, and for a relay that is at work. */
  boolean isHere(@Nullable String owner) {
    Member member = owner == null ? null : byName.get(owner);
    return owner == null || (member != null && places[member.place] == member);
  }

  /** Nothing waits for anybody any more. */
  void disarm() {
    byName.values().forEach(member -> member.ambushes.clear());
  }

  /** Everybody works; somebody comes if there is nobody. */
  void drainAll() {
    for (Member member : places) {
      if (member != null && member.leaves) {
        close(member.place, true);
      }
    }
    join(0);
    for (int place = 0; place < places.length; place++) {
      scene.broker().answerAll(null);
      if (places[place] != null) {
        drain(place);
        scene.broker().answerAll(null);
        turn(place);
      }
      forgetTheDead();
    }
  }

  void closeAll() {
    for (int place = 0; place < places.length; place++) {
      close(place, true);
    }
  }
}
