package dev.outbox.spring.boot.relay;

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
 * All listener beans as one. What one of them throws is logged, and the others hear all the same.
 */
public record Listeners(List<RelayListener> listeners) implements RelayListener {
  private static final Logger log = LoggerFactory.getLogger(Listeners.class);

  private void each(Consumer<RelayListener> news) {
    for (RelayListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (RuntimeException | LinkageError e) {
        log.error("a listener of the relay threw, which changes nothing", e);
      }
    }
  }

  @Override
  public void publishing(String topic, int count) {
    each(listener -> listener.publishing(topic, count));
  }

  @Override
  public void published(Published published) {
    each(listener -> listener.published(published));
  }

  @Override
  public void failed(Envelope envelope, int attempt, Duration rest, String error) {
    each(listener -> listener.failed(envelope, attempt, rest, error));
  }

  @Override
  public void brokerDown(String topic) {
    each(listener -> listener.brokerDown(topic));
  }

  @Override
  public void brokerBack(String topic) {
    each(listener -> listener.brokerBack(topic));
  }

  @Override
  public void settled(Settled settled) {
    each(listener -> listener.settled(settled));
  }

  @Override
  public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
    each(listener -> listener.deadLettered(envelope, reason, error));
  }

  @Override
  public void foundLate(int lane, int count) {
    each(listener -> listener.foundLate(lane, count));
  }

  @Override
  public void claimed(Set<Integer> lanes) {
    each(listener -> listener.claimed(lanes));
  }

  @Override
  public void fenced(int lane) {
    each(listener -> listener.fenced(lane));
  }

  @Override
  public void storeFailed(Throwable cause, Duration rest) {
    each(listener -> listener.storeFailed(cause, rest));
  }

  @Override
  public void storeBack(Duration outage) {
    each(listener -> listener.storeBack(outage));
  }

  @Override
  public void ignoredAnswers(int count) {
    each(listener -> listener.ignoredAnswers(count));
  }

  @Override
  public void tookOver(int cluster, int count) {
    each(listener -> listener.tookOver(cluster, count));
  }

  @Override
  public void returned(Set<Integer> unheard) {
    each(listener -> listener.returned(unheard));
  }
}
