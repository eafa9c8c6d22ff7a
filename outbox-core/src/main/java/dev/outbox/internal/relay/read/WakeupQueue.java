package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes have news, or may soon: wake-ups come in from any thread, the loop asks what to read
 * now and how long it may rest.
 *
 * <p>Safe for use by many threads; {@link #take}, {@link #next} and {@link #found} are the loop's.
 */
/*
 * A wake-up asks for one read, the next. A hint stands for a transaction that may commit any moment or never: its lane
 * is looked at 1, 2, 4, 8 and 16 ms later; after that it is only remembered as missed. A hint that comes while its lane
 * is being looked at starts the steps again, but never puts off the look that is next, or steady writers would put it
 * off for ever.
 *
 * News found in a lane ends its looks when one hint is open, and counts one of them off when there are more: it is not
 * known whose news it was. A hint from after the loop's question stays, for the read may have been too early for it.
 *
 * A wake-up from anywhere most likely belongs to a hint: the hinted and the missed lanes are read. When nothing is
 * found there, it belonged to another lane, and everything is looked at 4 ms later.
 *
 * One signal ends a rest. While the loop works none is needed: it comes here before it waits.
 */
public final class WakeupQueue implements Wakeup.Listener {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long[] LOOKS = {MILLI, 2 * MILLI, 4 * MILLI, 8 * MILLI, 16 * MILLI};
  private static final long DOUBT = 4 * MILLI;
  private static final long NEVER = TimeUnit.DAYS.toNanos(1);

  private final Runnable signal;
  private final Ticker ticker;
  private Set<Lane> woken = new HashSet<>();
  private final Map<Lane, Hint> hints = new HashMap<>();
  private final Set<Lane> missed = new HashSet<>();
  private @Nullable Doubt doubt;
  private boolean everywhere;
  private boolean resting;
  private long planned;

  /** An empty queue; {@code signal} ends the loop's wait. */
  public WakeupQueue(Runnable signal, Ticker ticker) {
    this.signal = signal;
    this.ticker = ticker;
  }

  /** The lanes with news; {@code everywhere} is in all of them. */
  public record Woken(Set<Lane> lanes, boolean everywhere) {
    public boolean isNone() {
      return lanes.isEmpty() && !everywhere;
    }
  }

  @Override
  public void woken(Set<Lane> lanes) {
    if (wake(lanes, ticker.now().nanos())) {
      signal.run();
    }
  }

  @Override
  public void hinted(Set<Lane> lanes) {
    if (!lanes.isEmpty() && expect(lanes, ticker.now().nanos())) {
      signal.run();
    }
  }

  /**
   * What to read now; it is not shown again, so a caller that cannot read a lane now has to
   * remember it.
   */
  public synchronized Woken take(Ticker.Moment now) {
    resting = false;
    look(now.nanos());
    Woken taken = new Woken(woken, everywhere);
    woken = new HashSet<>();
    everywhere = false;
    return taken;
  }

  /** How long the loop may rest unless signalled; asked before every rest. */
  public synchronized Duration next(Ticker.Moment now) {
    if (everywhere || !woken.isEmpty()) {
      return Duration.ZERO;
    }
    planned = earliest(now.nanos());
    resting = true;
    return Duration.ofNanos(Math.max(0, planned - now.nanos()));
  }

  /** News was read in {@code lanes} since the last {@link #take}: nothing looks for it any more. */
  public synchronized void found(Set<Lane> lanes) {
    for (Lane lane : lanes) {
      missed.remove(lane);
      Hint hint = hints.get(lane);
      if (hint != null && hint.isOverAfterNews()) {
        hints.remove(lane);
      }
    }
    if (doubt != null && !Collections.disjoint(doubt.lanes, lanes)) {
      doubt = null;
    }
  }

  /** Returns whether the loop has to be told. */
  private synchronized boolean wake(Set<Lane> lanes, long now) {
    if (lanes.isEmpty()) {
      wakeWhereHinted(now);
    } else {
      woken.addAll(lanes);
    }
    return endsRest();
  }

  private void wakeWhereHinted(long now) {
    Set<Lane> likely = new HashSet<>(hints.keySet());
    likely.addAll(missed);
    missed.clear();
    if (likely.isEmpty()) {
      everywhere = true;
      return;
    }
    woken.addAll(likely);
    if (doubt == null) {
      doubt = new Doubt(likely, now + DOUBT);
    } else {
      doubt.lanes.addAll(likely);
    }
  }

  private synchronized boolean expect(Set<Lane> lanes, long now) {
    for (Lane lane : lanes) {
      missed.remove(lane);
      hints.computeIfAbsent(lane, any -> new Hint(now)).again(now);
    }
    return now + LOOKS[0] - planned < 0 && endsRest();
  }

  private boolean endsRest() {
    boolean ends = resting;
    resting = false;
    return ends;
  }

  private void look(long now) {
    Iterator<Map.Entry<Lane, Hint>> each = hints.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Lane, Hint> entry = each.next();
      Hint hint = entry.getValue();
      hint.asked();
      if (hint.next - now <= 0) {
        woken.add(entry.getKey());
        if (!hint.goesOn(now)) {
          missed.add(entry.getKey());
          each.remove();
        }
      }
    }
    if (doubt != null && doubt.look - now <= 0) {
      doubt = null;
      everywhere = true;
    }
  }

  private long earliest(long now) {
    long earliest = doubt == null ? now + NEVER : doubt.look;
    for (Hint hint : hints.values()) {
      earliest = hint.next - earliest < 0 ? hint.next : earliest;
    }
    return earliest;
  }

  /** The open hints of a lane: how many came before and after the loop's last question. */
  private static final class Hint {
    private long last;
    private long next;
    private int before;
    private int after;

    Hint(long now) {
      next = now + LOOKS[0];
    }

    void again(long now) {
      last = now;
      after++;
      next = now + LOOKS[0] - next < 0 ? now + LOOKS[0] : next;
    }

    void asked() {
      before += after;
      after = 0;
    }

    boolean isOverAfterNews() {
      before = Math.max(0, before - 1);
      return before == 0 && after == 0;
    }

    boolean goesOn(long now) {
      for (long look : LOOKS) {
        if (last + look - now > 0) {
          next = last + look;
          return true;
        }
      }
      return false;
    }
  }

  /** Lanes read for a wake-up from anywhere, and when to look everywhere instead. */
  private static final class Doubt {
    private final Set<Lane> lanes;
    private final long look;

    Doubt(Set<Lane> lanes, long look) {
      this.lanes = lanes;
      this.look = look;
    }
  }
}
