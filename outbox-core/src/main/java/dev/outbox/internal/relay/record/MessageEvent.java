package dev.outbox.internal.relay.record;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** What happened to messages of a topic. No event has a payload, a header or a key. */
@Category("Outbox")
@StackTrace(false)
abstract class MessageEvent extends Event {
  @Label("Topic")
  @Nullable String topic;

  @Name("dev.outbox.Publish")
  @Label("Publish")
  @Description("Messages of a flight were answered alike")
  static final class Publish extends MessageEvent {
    @Label("Outcome")
    @Nullable String outcome;

    @Label("Messages")
    int messages;

    @Label("Time in Flight")
    @Timespan(Timespan.NANOSECONDS)
    long time;
  }

  @Name("dev.outbox.Retry")
  @Label("Retry")
  @Description("A message failed and will be tried again")
  static final class Retry extends MessageEvent {
    @Label("Message Id")
    @Nullable String id;

    @Label("Attempts")
    int attempts;

    @Label("Wait")
    @Timespan(Timespan.NANOSECONDS)
    long rest;
  }

  @Name("dev.outbox.Dead")
  @Label("Dead Letter")
  @Description("A message became a dead letter")
  static final class Dead extends MessageEvent {
    @Label("Message Id")
    @Nullable String id;

    @Label("Reason")
    @Nullable String reason;

    @Label("Attempts")
    int attempts;
  }

  @Name("dev.outbox.Outage")
  @Label("Outage")
  @Description("The broker of a topic is down or back; without a topic, the database")
  static final class Outage extends MessageEvent {
    @Label("Over")
    boolean over;
  }
}
