package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what it is woken for. */
final class Bell implements Wakeup.Listener {
  private final BlockingQueue<Set<Lane>> rings = new LinkedBlockingQueue<>();

  /** A bell on {@code wakeup}, once that has begun to listen to others. */
  static Bell on(Wakeup wakeup) throws InterruptedException {
    Bell bell = new Bell();
    wakeup.subscribe(bell);
    assertThat(bell.next()).as("everybody is rung when listening begins").isEmpty();
    return bell;
  }

  @Override
  public void woken(Set<Lane> lanes) {
    rings.add(lanes);
  }

  @Override
  public void hinted(Set<Lane> lanes) {
    throw new AssertionError("a hint of " + lanes);
  }

  Set<Lane> next() throws InterruptedException {
    Set<Lane> lanes = rings.poll(30, TimeUnit.SECONDS);
    assertThat(lanes).as("nobody rang").isNotNull();
    return lanes;
  }

  boolean isSilent() {
    return rings.isEmpty();
  }

  void clear() {
    rings.clear();
  }
}
