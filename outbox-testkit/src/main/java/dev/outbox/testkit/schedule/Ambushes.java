package dev.outbox.testkit.schedule;

import dev.outbox.store.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.What;
import dev.outbox.testkit.schedule.Decision.Ambush;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What waits for the relays of a scene at their steps: each strikes once.
 *
 * <p>Used by one thread.
 */
final class Ambushes implements Steps.Interruption {
  private final Scene scene;
  private final Map<String, List<Ambush>> waiting = new HashMap<>();

  Ambushes(Scene scene) {
    this.scene = scene;
  }

  /** Waits for the relay of this name. */
  void lay(String name, Ambush ambush) {
    waiting.computeIfAbsent(name, any -> new ArrayList<>()).add(ambush);
  }

  /** Nothing waits for anybody any more. */
  void callOff() {
    waiting.clear();
  }

  /** Nothing waits for the relay of this name any more. */
  void callOff(String name) {
    waiting.remove(name);
  }

  /** The relay of this name is not to stand still any more. */
  void callOffPauses(String name) {
    waiting
        .getOrDefault(name, new ArrayList<>())
        .removeIf(each -> each.deed() == Ambush.Deed.PAUSE);
  }

  @Override
  public void at(Steps steps, Step step, Step.Side side) {
    Member member = scene.crew().named(step.who());
    List<Ambush> own = waiting.get(step.who());
    if (member == null || own == null) {
      return;
    }
    for (Ambush ambush : own) {
      if (ambush.point() == step.point() && ambush.side() == side) {
        own.remove(ambush);
        strike(member, ambush);
        return;
      }
    }
  }

  private void strike(Member member, Ambush ambush) {
    switch (ambush.deed()) {
      case DROP -> {
        scene.ledger().count(Happening.DROP);
        scene.crew().die(member.name(), "dropped " + ambush.where());
      }
      case FAIL, CONTEND -> fail(member, ambush);
      case PAUSE -> pause(member, ambush);
      case GO_BACK -> goBack();
    }
  }

  /**
   * A failed call excuses nothing but what stands in the transaction of a claim by rows, and what
   * finds its rows locked when there is no other time to write it.
   */
  private void fail(Member member, Ambush ambush) {
    if (ambush.point() == CrashPoint.PUBLISH || ambush.point() == CrashPoint.ANSWER) {
      return; // no call to the store
    }
    boolean contends = ambush.deed() == Ambush.Deed.CONTEND;
    boolean settles = ambush.point() == CrashPoint.SETTLE || ambush.point() == CrashPoint.MOVE;
    boolean isLast = settles && ambush.side() == Step.Side.BEFORE && member.isGivingUp();
    boolean excuses = ambush.point() == CrashPoint.END_CLAIM || (contends && isLast);
    String where = "fails " + ambush.where();
    scene.ledger().of(excuses ? What.FAULT : What.NUISANCE, member.name(), where);
    if (contends) {
      member.refuse();
    }
    throw contends && ambush.side() == Step.Side.BEFORE
        ? StoreException.contended(where, null)
        : StoreException.passing(where, null);
  }

  private void goBack() {
    try {
      scene.goBack();
    } catch (Exception e) {
      throw new IllegalStateException("the store cannot go back", e);
    }
  }

  private void pause(Member member, Ambush ambush) {
    scene.ledger().count(Happening.PAUSE);
    scene.ledger().of(What.NUISANCE, member.name(), "stands still " + ambush.where());
    member.stop();
    scene.standStill(member);
    if (scene.crew().isDead(member)) {
      throw new Crash(member.name(), "killed while it stood still");
    }
    scene.ledger().of(What.NUISANCE, member.name(), "goes on " + ambush.where());
  }
}
