package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicWatch;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends lanes back to their floor, to probe with what was left there while every broker is down.
 *
 * <p>Used by the loop thread only.
 */
/*
 * What may be probed can be behind a long backlog of a topic that may not. So a lane that goes back is left alone until
 * its reads have been through all that was left: if it were sent back again on the way, they would never arrive. One
 * lane at a time, and only one in which something was left that may be published now.
 */
final class ProbeRewind {
  private final ReadCapacity readCapacity;
  private final TopicWatch topics;
  private final DutyCycle dutyCycle = new DutyCycle(Duration.ofMillis(200), 1);
  private @Nullable ReadableLane lane;

  ProbeRewind(ReadCapacity readCapacity, TopicWatch topics) {
    this.readCapacity = readCapacity;
    this.topics = topics;
  }

  /** Sends a lane back if there is one to send, and it is time. */
  void forAProbe(Ticker.Moment now) {
    if (isUnderWay()) {
      return;
    }
    List<ReadableLane> worth =
        readCapacity.runs().those(run -> run.isSkipping() && mayProbe(run, now));
    if (!worth.isEmpty() && dutyCycle.begins(now)) {
      lane = readCapacity.anyOf(worth);
      lane.goBackForAProbe();
    }
  }

  private boolean isUnderWay() {
    return lane != null && readCapacity.runs().contains(lane) && lane.isGoneThrough();
  }

  private boolean mayProbe(ReadableLane run, Ticker.Moment now) {
    return run.topicsLeft().stream().anyMatch(topic -> !topics.isHeld(topic, now));
  }

  /** Sends all lanes back: a broker has returned. */
  void forAll() {
    readCapacity.runs().forEach(run -> run.goBackToTheFloor());
  }
}
