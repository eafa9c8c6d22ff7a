package dev.outbox.internal.relay.base;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener of the user whose exceptions are logged and change nothing. */
public record GuardedListener(String relay, RelayListener listener) implements RelayListener {
  private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

  @Override
  public void publishing(String topic, int count) {
    guarded(() -> listener.publishing(topic, count));
  }

  @Override
  public void published(Published published) {
    guarded(() -> listener.published(published));
  }

  @Override
  public void failed(Envelope envelope, int attempt, Duration rest, String error) {
    guarded(() -> listener.failed(envelope, attempt, rest, error));
  }

  @Override
  public void brokerDown(String topic) {
    guarded(() -> listener.brokerDown(topic));
  }

  @Override
  public void brokerBack(String topic) {
    guarded(() -> listener.brokerBack(topic));
  }

  @Override
  public void claimed(Set<Integer> lanes) {
    guarded(() -> listener.claimed(lanes));
  }

  @Override
  public void storeBack(Duration outage) {
    guarded(() -> listener.storeBack(outage));
  }

  @Override
  public void settled(Settled settled) {
    guarded(() -> listener.settled(settled));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    guarded(() -> listener.deadLettered(envelope, reason, error));
  }

  @Override
  public void foundLate(int lane, int count) {
    guarded(() -> listener.foundLate(lane, count));
  }

  @Override
  public void fenced(int lane) {
    guarded(() -> listener.fenced(lane));
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    guarded(() -> listener.storeFailed(cause, rest));
  }

  @Override
  public void ignoredAnswers(int count) {
    guarded(() -> listener.ignoredAnswers(count));
  }

  @Override
  public void tookOver(int cluster, int count) {
    guarded(() -> listener.tookOver(cluster, count));
  }

  @Override
  public void returned(Set<Integer> unheard) {
    guarded(() -> listener.returned(unheard));
  }

  private void guarded(Runnable news) {
    try {
      news.run();
    } catch (Throwable thrown) { // a metrics library of another version must not end the relay
      log.error("relay={} its listener threw; delivery goes on", relay, thrown);
    }
  }
}
