package dev.outbox.testkit.schedule;

import dev.outbox.store.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.history.What;
import java.time.Duration;

/**
 * A relay in its place: works as it is told to, and leaves as a relay does that closes.
 *
 * <p>Used by one thread.
 */
final class Member {
  private static final Duration AFTER_REFUSALS = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int place;
  private final String name;
  private final Worker worker;
  private final Scene scene;
  private boolean busy;
  private boolean refused;
  private boolean leaves;
  private boolean patient;
  private boolean givesUp;
  private boolean mayGoOn;
  private boolean cut;
  private Duration lastSure;

  Member(int place, String name, Worker worker, Scene scene) {
    this.place = place;
    this.name = name;
    this.worker = worker;
    this.scene = scene;
    this.lastSure = scene.time().ofTheStore();
  }

  int place() {
    return place;
  }

  String name() {
    return name;
  }

  void turn() {
    work(leaves ? this::leave : worker::turn);
  }

  void drain() {
    work(leaves ? this::leave : worker::drain);
  }

  private void work(Runnable work) {
    if (busy) {
      return;
    }
    Duration began = scene.time().ofTheStore();
    busy = true;
    scene.time().tick();
    try {
      work.run();
      lastSure = began;
    } catch (StoreException e) {
      scene.ledger().count(Happening.FAILED_CALL);
      hear();
    } catch (Crash crash) {
      // it is found among the dead
    } finally {
      busy = false;
    }
  }

  /** It hands nothing on any more from here on, also when it stands still while it is answered. */
  void close(boolean patiently) {
    work(
        () -> {
          patient = patiently;
          if (patiently) {
            scene.broker().answerAll(name);
          }
          leave();
        });
  }

  /**
   * May fail, as any call: then it leaves the next time that it may do something, and does nothing
   * else any more.
   */
  private void leave() {
    leaves = true;
    givesUp = false;
    windDown();
    givesUp = true;
    scene.broker().abandon(name);
    worker.close();
    scene.crew().left(this);
    scene.ledger().count(Happening.CLOSE);
    scene.ledger().of(What.CLOSED, name, "");
  }

  /** What the store refused is offered again after a rest, for which a close has patience. */
  private void windDown() {
    Duration left = patient ? PATIENCE : Duration.ZERO;
    while (!isWoundDown() && refused && !left.isZero()) {
      scene.time().rest(AFTER_REFUSALS);
      left = left.minus(AFTER_REFUSALS);
    }
  }

  private boolean isWoundDown() {
    Duration began = scene.time().ofTheStore();
    boolean over = worker.windDown();
    lastSure = began;
    return over;
  }

  void crash() {
    worker.crash();
  }

  boolean isBusy() {
    return busy;
  }

  /** True once it has begun to leave. */
  boolean isLeaving() {
    return leaves;
  }

  /** True when it leaves and there is no other time to write what it knows. */
  boolean isGivingUp() {
    return givesUp;
  }

  /** The store has refused something that it offers again after a rest. */
  void refuse() {
    refused = true;
  }

  /** The store has gone back, of which it hears by its next call. */
  void loseSession() {
    cut = true;
  }

  private void hear() {
    if (cut) {
      cut = false;
      scene
          .ledger()
          .of(What.FAULT, name, "hears that its session was cut when the store went back");
    }
  }

  /** It stands still until it is told to go on. */
  void stop() {
    mayGoOn = false;
  }

  void goOn() {
    mayGoOn = true;
  }

  /** True when it need not stand still any longer. */
  boolean mayGoOn() {
    return mayGoOn || scene.crew().isDead(this);
  }

  /** True when it has not worked for so long. */
  boolean hasIdledFor(Duration time) {
    return scene.time().ofTheStore().minus(lastSure).compareTo(time) >= 0;
  }
}
