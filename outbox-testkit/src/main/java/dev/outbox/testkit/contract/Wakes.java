package dev.outbox.testkit.contract;

import dev.outbox.message.Lane;
import dev.outbox.store.Wakeup;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Remembers the lanes of each wake-up and of each hint.
 *
 * <p>Safe for use by many threads.
 */
final class Wakes implements Wakeup.Listener {
  final List<Set<Lane>> woken = new CopyOnWriteArrayList<>();
  final List<Set<Lane>> hinted = new CopyOnWriteArrayList<>();

  @Override
  public void woken(Set<Lane> lanes) {
    woken.add(lanes);
  }

  @Override
  public void hinted(Set<Lane> lanes) {
    hinted.add(lanes);
  }
}
