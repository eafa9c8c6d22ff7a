package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.relay.topic.TopicWatch;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads past topics that stay held, while their messages crowd the lanes: so that those behind them
 * need not wait until all are moved.
 *
 * <p>Used by the loop thread only.
 */
/*
 * What is held is moved by the ordinary reads, which begin at the floor and park what they meet. Behind 100,000
 * messages of a paused topic everything else would wait for them, at three times the cost of a delivery. So the reads
 * take turns: an ordinary one, then reads that leave the held topics out for twice as long as that took, as long as
 * they find anything. The share is one of time, because moving is that much slower. When nothing else is there, moving
 * goes on at full speed.
 *
 * A read past begins at its own mark (LaneFloor): the id up to which nothing but messages of these very topics is left.
 * It holds for these topics only; when one is let go or another is held, reads begin at the floor again.
 */
final class HeldTopicBypass {
  /** How far above its mark a read past looks in the ids, so that it never wades for long. */
  static final long REACH = 200_000;

  private static final int REST = 2;
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);

  private final TopicWatch topics;
  private Set<String> over = Set.of();
  private boolean moving;
  private boolean hasOthers;
  private boolean first;
  private Ticker.@Nullable Moment begun;
  private Ticker.@Nullable Moment moved;
  private Duration rest = Duration.ZERO;

  HeldTopicBypass(TopicWatch topics) {
    this.topics = topics;
  }

  /** The topics that the read which begins now is to leave out; none for an ordinary read. */
  Set<String> topics(Collection<ReadableLane> runs, boolean down, Ticker.Moment now) {
    Set<String> shut = topics.shut();
    if (!shut.equals(over)) {
      over = shut;
      hasOthers = false;
      runs.forEach(run -> run.passNothing());
    }
    boolean isMostlyHeld =
        !down && !shut.isEmpty() && runs.stream().anyMatch(run -> run.isMostlyHeld());
    if (isMostlyHeld && runs.stream().noneMatch(run -> run.isCareful()) && isTimeToPass(now)) {
      return shut;
    }
    moving = true;
    begun = now;
    return Set.of();
  }

  private boolean isTimeToPass(Ticker.Moment now) {
    if (moving && begun != null) {
      moving = false;
      moved = now;
      rest = Durations.shorter(now.since(begun).multipliedBy(REST), LONGEST_REST);
      first = true;
      return true;
    }
    return hasOthers && now.isWithin(rest, moved);
  }

  /** True once after each ordinary read: the lanes in which nothing was found are asked alone. */
  boolean takeFirst() {
    boolean is = first;
    first = false;
    return is;
  }

  /** There was a read past the held topics; now there are {@code others} to publish, or none. */
  void passed(boolean others) {
    hasOthers = others;
  }
}
