package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.spi.Wakeup;
import dev.outbox.spi.lane.Lane;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what it is woken for. */
final class WakeRecorder implements Wakeup.Listener {
  private final BlockingQueue<Set<Lane>> wakeUps = new LinkedBlockingQueue<>();

  /** Subscribed to {@code wakeup}, which has begun to listen to others. */
  static WakeRecorder on(Wakeup wakeup) throws InterruptedException {
    WakeRecorder recorder = new WakeRecorder();
    wakeup.subscribe(recorder);
    assertThat(recorder.next()).as("all are woken when listening begins").isEmpty();
    return recorder;
  }

  @Override
  public void woken(Set<Lane> lanes) {
    wakeUps.add(lanes);
  }

  @Override
  public void hinted(Set<Lane> lanes) {
    throw new AssertionError("a hint of " + lanes);
  }

  Set<Lane> next() throws InterruptedException {
    Set<Lane> lanes = wakeUps.poll(30, TimeUnit.SECONDS);
    assertThat(lanes).as("no wake-up came").isNotNull();
    return lanes;
  }

  boolean isSilent() {
    return wakeUps.isEmpty();
  }
}
