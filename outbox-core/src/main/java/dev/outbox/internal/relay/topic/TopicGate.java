package dev.outbox.internal.relay.topic;

import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.ErrorText;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.text.ShortText;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate of one topic: its breaker, its rate, what is in flight of it, and which messages are
 * suspected to be the outage that they meet.
 *
 * <p>Used under the lock of {@link TopicGates}.
 */
final class TopicGate {
  /** How long a topic is thought of that is not met. */
  static final Duration MEMORY = Duration.ofMinutes(1);

  static final Duration FAR = Duration.ofDays(1);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(TopicGate.class);

  private final String topic;
  private final Breaker breaker = new Breaker();
  private final RateLimit rateLimit = new RateLimit();
  private final OutageSuspects suspects = new OutageSuspects();

  /** The number of the end that opened the breaker last. */
  private long lastOpening;

  private int inFlight;
  private long probes;
  private Ticker.@Nullable Moment met;

  /** For how long turns have looked for a probe and found none. */
  private Duration missed = Duration.ZERO;

  TopicGate(String topic) {
    this.topic = topic;
  }

  Breaker breaker() {
    return breaker;
  }

  int inFlight() {
    return inFlight;
  }

  /** The broker is down, as far as is known. */
  boolean isDown() {
    return breaker.isOpen() && missed.compareTo(MEMORY) < 0;
  }

  boolean wasMetWithin(Duration time, Ticker.Moment now) {
    return now.isWithin(time, met);
  }

  /** Failures count for longer: a topic of few messages may have one of them an hour. */
  boolean isOver(Ticker.Moment now) {
    boolean clean = breaker.isAsNew() && !suspects.hasCulprits();
    return inFlight == 0 && !isDown() && !wasMetWithin(clean ? MEMORY : FAR, now);
  }

  boolean isHeld(Setting setting, Ticker.Moment now) {
    Integer cap = setting.inFlight();
    return isHeldForLong(setting, now) || (cap != null && inFlight >= cap);
  }

  /** True when something else than its cap holds it. */
  boolean isHeldForLong(Setting setting, Ticker.Moment now) {
    Integer perSecond = setting.perSecond();
    return setting.paused()
        || !breaker.lets(now)
        || (perSecond != null && !rateLimit.lets(perSecond, now));
  }

  /** Asks to publish the message; true takes a place in flight. */
  boolean admit(Envelope envelope, Setting setting, Ticker.Moment now) {
    met = now;
    missed = Duration.ZERO;
    if (isHeld(setting, now) || makesRoom(envelope.id())) {
      return false;
    }
    inFlight++;
    probes += breaker.isOpen() ? 1 : 0;
    breaker.letThrough(envelope);
    if (setting.perSecond() != null) {
      rateLimit.used();
    }
    return true;
  }

  /** A probe that was in vain makes room for another message, which may be no outage of itself. */
  private boolean makesRoom(MessageId id) {
    return breaker.isOpen() && suspects.makesRoom(id, probes + 1);
  }

  /** How many messages may have to be passed over to find the next probe. */
  int toPassOver(Ticker.Moment now) {
    return mayBeProbed(now) ? suspects.waiting() : 0;
  }

  /** A message that was let through was not published. */
  void withdrawn(Envelope envelope, Setting setting) {
    inFlight--;
    breaker.withdrawn(envelope);
    if (setting.perSecond() != null) {
      rateLimit.withdrawn();
    }
  }

  /** The publisher did not answer in time, and the relay waits for the message no more. */
  void abandoned(Envelope envelope) {
    inFlight--;
    breaker.withdrawn(envelope);
  }

  /** It was given back all the same, and is answered or withdrawn as any other. */
  void returned() {
    inFlight++;
  }

  /**
   * A message that was let through, and was sent when {@code sent} sends had ended in an outage,
   * was answered; now there are {@code ends}. Returns what the answer counts as.
   */
  Ack answered(Envelope envelope, Ack ack, long sent, long ends, Ticker.Moment at) {
    boolean wasOpen = breaker.isOpen();
    inFlight--;
    Ack counted = ack;
    if (ack instanceof Ack.Delivered) {
      breaker.delivered(envelope, at);
      suspects.delivered(envelope.id(), sent);
    } else if (ack instanceof Ack.Unavailable unavailable) {
      counted = ended(envelope, unavailable, sent, ends, at);
    } else if (ack instanceof Ack.Failed) {
      breaker.failed(envelope, at);
    } else {
      breaker.withdrawn(envelope);
    }
    tell(wasOpen, counted);
    return counted;
  }

  /** The outage of one message is its own failure, and says nothing of the broker. */
  private Ack ended(
      Envelope envelope, Ack.Unavailable unavailable, long sent, long ends, Ticker.Moment at) {
    int own = suspects.ended(envelope.id(), sent, ends);
    if (own == 0) {
      down(envelope, unavailable, sent, ends, at);
      return unavailable;
    }
    breaker.withdrawn(envelope);
    return new Ack.Failed(new LoneOutage(own, unavailable.cause()), unavailable.retryAfter());
  }

  /** What was in flight when it opened is of the same outage, and does not open it again. */
  private void down(
      Envelope envelope, Ack.Unavailable unavailable, long sent, long ends, Ticker.Moment at) {
    if (!breaker.isOpen()) {
      if (sent < lastOpening) {
        return;
      }
      lastOpening = ends;
    }
    breaker.down(envelope, unavailable.retryAfter(), at);
  }

  /** Once for each outage, so that its cause can be found. */
  private void tell(boolean wasOpen, Ack ack) {
    if (breaker.isOpen() && !wasOpen) {
      log.warn(
          "topic={} waits, its broker is down: {}",
          ShortText.oneLine(topic),
          ShortText.oneLine(cause(ack)));
    } else if (wasOpen && !breaker.isOpen()) {
      log.info("topic={} resumes, its broker is up again", ShortText.oneLine(topic));
    }
  }

  private static String cause(Ack ack) {
    if (ack instanceof Ack.Unavailable unavailable) {
      return ErrorText.of(unavailable.cause());
    }
    return ack instanceof Ack.Failed failed ? ErrorText.of(failed.cause()) : "";
  }

  boolean mayBeProbed(Ticker.Moment now) {
    return breaker.isOpen() && breaker.lets(now);
  }

  /** Turns have looked for a probe, for this time, and found none. */
  void lookedInVain(Duration time) {
    missed = missed.plus(Durations.shorter(time, LONGEST_LOOK));
  }
}
