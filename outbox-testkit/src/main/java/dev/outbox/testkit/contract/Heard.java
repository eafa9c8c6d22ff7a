package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.message.Lane;
import dev.outbox.publish.RelayListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Remembers what relays told.
 *
 * <p>Safe for use by many threads.
 */
final class Heard implements RelayListener {
  final AtomicInteger delivered = new AtomicInteger();
  final AtomicInteger parked = new AtomicInteger();
  final AtomicInteger missing = new AtomicInteger();
  final AtomicInteger ignored = new AtomicInteger();
  final List<String> deaths = new CopyOnWriteArrayList<>();
  final List<Lane> fenced = new CopyOnWriteArrayList<>();

  @Override
  public void settled(Settled settled) {
    delivered.addAndGet(settled.delivered());
    parked.addAndGet(settled.parked());
    missing.addAndGet(settled.missing());
  }

  @Override
  public void died(Envelope envelope, String reason, String error) {
    deaths.add(envelope.payload().text() + ": " + reason + ": " + error);
  }

  @Override
  public void fenced(Lane lane) {
    fenced.add(lane);
  }

  @Override
  public void ignoredAnswers(int count) {
    ignored.addAndGet(count);
  }
}
