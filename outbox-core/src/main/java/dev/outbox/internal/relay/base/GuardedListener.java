package dev.outbox.internal.relay.base;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listeners of the user, one after the other. What one throws is logged, and changes nothing.
 */
public record GuardedListener(String relay, List<RelayListener> listeners)
    implements RelayListener {
  private static final Logger log = LoggerFactory.getLogger(GuardedListener.class);

  public GuardedListener {
    listeners = listeners.stream().filter(each -> each != RelayListener.SILENT).toList();
  }

  @Override
  public void publishing(String topic, int count) {
    guarded(listener -> listener.publishing(topic, count));
  }

  @Override
  public void published(Published published) {
    guarded(listener -> listener.published(published));
  }

  @Override
  public void failed(Envelope envelope, int attempt, Duration rest, String error) {
    guarded(listener -> listener.failed(envelope, attempt, rest, error));
  }

  @Override
  public void brokerDown(String topic) {
    guarded(listener -> listener.brokerDown(topic));
  }

  @Override
  public void brokerBack(String topic) {
    guarded(listener -> listener.brokerBack(topic));
  }

  @Override
  public void claimed(Set<Integer> lanes) {
    guarded(listener -> listener.claimed(lanes));
  }

  @Override
  public void storeBack(Duration outage) {
    guarded(listener -> listener.storeBack(outage));
  }

  @Override
  public void settled(Settled settled) {
    guarded(listener -> listener.settled(settled));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    guarded(listener -> listener.deadLettered(envelope, reason, error));
  }

  @Override
  public void foundLate(int lane, int count) {
    guarded(listener -> listener.foundLate(lane, count));
  }

  @Override
  public void fenced(int lane) {
    guarded(listener -> listener.fenced(lane));
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    guarded(listener -> listener.storeFailed(cause, rest));
  }

  @Override
  public void ignoredAnswers(int count) {
    guarded(listener -> listener.ignoredAnswers(count));
  }

  @Override
  public void tookOver(int cluster, int count) {
    guarded(listener -> listener.tookOver(cluster, count));
  }

  @Override
  public void returned(Set<Integer> unheard) {
    guarded(listener -> listener.returned(unheard));
  }

  private void guarded(Consumer<RelayListener> news) {
    for (RelayListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable thrown) { // a metrics library of another version must not end the relay
        log.error("relay={} its listener threw; delivery goes on", relay, thrown);
      }
    }
  }
}
