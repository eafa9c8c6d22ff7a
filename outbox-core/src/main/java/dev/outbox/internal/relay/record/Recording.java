package dev.outbox.internal.relay.record;

import dev.outbox.publish.RelayListener.Outcome;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a relay does into the recordings of JDK Flight Recorder that run, and costs next to
 * nothing while none does. Each event has its thread, whose name begins with that of the relay.
 *
 * <p>Stateless.
 */
public final class Recording {
  private Recording() {}

  /**
   * False until the first recording of this JVM. An event before that would load the recorder,
   * which takes longer than anything else that a relay does at its start.
   */
  private static boolean isOn() {
    return FlightRecorder.isInitialized();
  }

  /** Takes lanes. */
  public static List<LaneClaim> claim(Supplier<List<LaneClaim>> call) {
    if (!isOn()) {
      return call.get();
    }
    CallEvent.Claim event = new CallEvent.Claim();
    return event.around(
        () -> {
          List<LaneClaim> claims = call.get();
          event.lanes = claims.size();
          return claims;
        },
        claims -> 0);
  }

  /** Claims messages by rows. */
  public static RowClaim claimRows(Supplier<RowClaim> call) {
    return isOn()
        ? new CallEvent.Claim().around(call, claim -> claim.messages().size())
        : call.get();
  }

  /** Reads messages of that many lanes. */
  public static List<StoredEnvelope> read(int lanes, Supplier<List<StoredEnvelope>> call) {
    if (!isOn()) {
      return call.get();
    }
    CallEvent.Read event = new CallEvent.Read();
    event.lanes = lanes;
    return event.around(call, Collection::size);
  }

  /** Writes that many fates of that many lanes. */
  public static <T> T settle(int fates, int lanes, Supplier<T> call) {
    if (!isOn()) {
      return call.get();
    }
    CallEvent.Settle event = new CallEvent.Settle();
    event.lanes = lanes;
    return event.around(call, answer -> fates);
  }

  /** True when it is worth to count outcomes. */
  public static boolean isPublishRecorded() {
    return isOn() && new MessageEvent.Publish().isEnabled();
  }

  public static void published(String topic, Outcome outcome, int messages, Duration time) {
    if (!isOn()) {
      return;
    }
    MessageEvent.Publish event = new MessageEvent.Publish();
    if (event.isEnabled()) {
      event.topic = topic;
      event.outcome = outcome.name();
      event.messages = messages;
      event.time = time.toNanos();
      event.commit();
    }
  }

  public static void retried(Fate.Park park) {
    if (!isOn()) {
      return;
    }
    MessageEvent.Retry event = new MessageEvent.Retry();
    if (event.isEnabled()) {
      event.topic = park.storedEnvelope().envelope().topic();
      event.id = park.storedEnvelope().envelope().id().toString();
      event.attempts = park.attempts();
      event.rest = Objects.requireNonNullElse(park.rest(), Duration.ZERO).toNanos();
      event.commit();
    }
  }

  public static void deadLettered(Fate.Bury bury) {
    if (!isOn()) {
      return;
    }
    MessageEvent.Dead event = new MessageEvent.Dead();
    if (event.isEnabled()) {
      event.topic = bury.storedEnvelope().envelope().topic();
      event.id = bury.storedEnvelope().envelope().id().toString();
      event.reason = bury.reason().name();
      event.attempts = bury.attempts();
      event.commit();
    }
  }

  /** The broker of {@code topic}, or without one the database, went down or came back. */
  public static void outage(@Nullable String topic, boolean over) {
    if (!isOn()) {
      return;
    }
    MessageEvent.Outage event = new MessageEvent.Outage();
    if (event.isEnabled()) {
      event.topic = topic;
      event.over = over;
      event.commit();
    }
  }

  public static void fenced(int lane) {
    if (!isOn()) {
      return;
    }
    Fenced event = new Fenced();
    if (event.isEnabled()) {
      event.lane = lane;
      event.commit();
    }
  }
}
