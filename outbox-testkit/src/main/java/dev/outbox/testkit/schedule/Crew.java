package dev.outbox.testkit.schedule;

import dev.outbox.store.Claiming;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.Stage;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.What;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a scene, each in its place.
 *
 * <p>Used by one thread.
 */
final class Crew {
  /** A relay that has not taken a turn for so long may have lost leases: it renews that often. */
  private static final Duration SURE = Stage.LEASE.minus(Stage.LEASE.dividedBy(3));

  private final Scene scene;
  private final Settings settings;
  private final SplittableRandom random;
  private final Steps steps;
  private final Ambushes ambushes;
  private final @Nullable Member[] places;
  private final Map<String, Member> byName = new HashMap<>();
  private final Set<String> stoodStill = new HashSet<>();
  private int generations;

  Crew(Scene scene, Settings settings, SplittableRandom random) {
    this.scene = scene;
    this.settings = settings;
    this.random = random;
    this.places = new @Nullable Member[settings.relays()];
    this.ambushes = new Ambushes(scene);
    this.steps = new Steps(ambushes, scene.ledger());
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
    Worker worker = settings.recruiting().at(post(place, name));
    Member member = new Member(place, name, worker, scene);
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
      member.turn();
    }
  }

  void drain(int place) {
    Member member = member(place);
    if (member != null) {
      member.drain();
    }
  }

  void ambush(Decision.Ambush ambush) {
    Member member = member(ambush.relay());
    if (member != null) {
      ambushes.lay(member.name(), ambush);
    }
  }

  /** Also calls off a pause that has not come about. */
  void resume(int place) {
    Member member = places[place];
    if (member != null) {
      member.goOn();
      ambushes.callOffPauses(member.name());
    }
  }

  @Nullable Member named(String name) {
    return byName.get(name);
  }

  boolean isDead(Member member) {
    return steps.isDead(member.name());
  }

  void kill(int place) {
    Member member = places[place];
    if (member != null && !isDead(member)) {
      scene.ledger().count(Happening.KILL);
      dropped(member.name(), "killed");
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
      if (member != null && !member.isBusy() && isDead(member)) {
        places[member.place()] = null;
        member.crash();
      }
    }
  }

  void close(int place, boolean patiently) {
    Member member = places[place];
    if (member != null) {
      member.close(patiently);
    }
  }

  /** It has closed. */
  void left(Member member) {
    places[member.place()] = null;
    ambushes.callOff(member.name());
  }

  /**
   * Who has not worked for so long that others may have its lanes is excused for what it holds. A
   * claim by rows is held by its session, whatever the time.
   */
  void noteStandstills() {
    if (settings.claiming() == Claiming.ROWS) {
      return;
    }
    for (Member member : places) {
      if (member != null && member.hasIdledFor(SURE)) {
        scene.ledger().of(What.FAULT, member.name(), "stands still for longer than its leases");
        scene.ledger().count(Happening.STANDSTILL);
        stoodStill.add(member.name());
      }
    }
  }

  /**
   * The store has gone back: who has something in the air may find its lane another's, and a claim
   * by rows is lost with its session.
   */
  void loseSessions() {
    for (Member member : places) {
      if (member != null) {
        stoodStill.add(member.name());
        member.loseSession();
      }
    }
  }

  boolean hasStoodStill(String name) {
    return stoodStill.contains(name);
  }

  /** True for nobody, and for a relay that is at work. */
  boolean isHere(@Nullable String owner) {
    Member member = owner == null ? null : byName.get(owner);
    return owner == null || (member != null && places[member.place()] == member);
  }

  /** Nothing waits for anybody any more. */
  void disarm() {
    ambushes.callOff();
  }

  /** Everybody works; somebody comes if there is nobody. */
  void drainAll() {
    for (Member member : places) {
      if (member != null && member.isLeaving()) {
        member.close(true);
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
