package dev.outbox.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.DeadLetters.Replayed;
import dev.outbox.StoreException;
import dev.outbox.spi.DeadStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One replay by filter, in portions by number.
 *
 * <p>Used by one thread. It goes no further than the highest number that there was when it began: a
 * message that dies again meanwhile has a higher one, and is not met twice.
 */
public final class Replay {
  private static final int PORTIONS_PER_SECOND = 10;

  private final DeadPortions portions;
  private final DeadStore dead;
  private final ReplayPlan plan;
  private final Runnable wake;
  private long began = System.nanoTime();
  private long messages;

  public Replay(DeadStore dead, Filter filter, ReplayPlan plan, Runnable wake) {
    this.dead = dead;
    this.plan = plan;
    this.wake = wake;
    this.portions = new DeadPortions(dead, filter, portion(plan));
  }

  private static int portion(ReplayPlan plan) {
    Integer pace = plan.perSecond();
    return pace == null
        ? DeadPortions.LARGEST
        : Math.min(DeadPortions.LARGEST, Math.max(1, pace / PORTIONS_PER_SECOND));
  }

  public Replayed run(Predicate<Replayed> goOn) {
    try {
      for (List<DeadLetter.Id> portion = next(); !portion.isEmpty(); portion = next()) {
        messages += plan.isDryRun() ? portion.size() : replay(portion);
        portions.passed(portion);
        if (!goOn.test(replayed(false))) {
          return replayed(false);
        }
      }
      return replayed(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return replayed(false);
    } catch (StoreException e) {
      if (!Thread.currentThread().isInterrupted()) {
        throw e;
      }
      return replayed(false);
    }
  }

  private Replayed replayed(boolean complete) {
    return new Replayed(messages, portions.last(), complete, plan.isDryRun());
  }

  private List<DeadLetter.Id> next() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("before a portion");
    }
    Integer pace = plan.perSecond();
    if (pace != null) {
      TimeUnit.NANOSECONDS.sleep(untilDue(pace));
    }
    return portions.next();
  }

  /** Until the next portion. Of a delay no more than a tenth of a second is made up for. */
  private long untilDue(int pace) {
    long late = System.nanoTime() - began - TimeUnit.SECONDS.toNanos(messages) / pace;
    began += Math.max(0, late - TimeUnit.SECONDS.toNanos(1) / PORTIONS_PER_SECOND);
    return -late;
  }

  private int replay(List<DeadLetter.Id> portion) {
    int replayed = dead.replay(portion);
    wake.run();
    return replayed;
  }
}
