package dev.outbox.spring.boot.actuate;

import dev.outbox.DeadLetters;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.Snapshot;
import dev.outbox.Topics;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spring.boot.RelayLifecycle;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The outbox at {@code /actuator/outbox}: the relay of this process, what waits in the tables, and
 * what is set for topics. It is there with {@code management.endpoints.web.exposure.include:
 * health,outbox}, and changes nothing unless {@code management.endpoint.outbox.access} is {@code
 * unrestricted}.
 */
@Endpoint(id = "outbox", defaultAccess = Access.READ_ONLY)
public final class OutboxEndpoint {
  private static final Logger log = LoggerFactory.getLogger(OutboxEndpoint.class);
  private static final long BOUND = 10_000;

  private final OutboxStore store;
  private final @Nullable RelayLifecycle lifecycle;

  /** The endpoint of this store, and of the relay if one runs in this process. */
  public OutboxEndpoint(OutboxStore store, @Nullable RelayLifecycle lifecycle) {
    this.store = store;
    this.lifecycle = lifecycle;
  }

  /** What can be done to a topic. */
  public enum Change {
    /** Its messages stay where they are. */
    PAUSE,
    /** They are delivered again. */
    RESUME,
    /** Its dead letters are ready again. */
    REPLAY
  }

  /** What there is to see; counts go no further than 10,000. */
  public record Report(
      @Nullable RelayReport relay, TableReport tables, Map<String, Topics.Setting> topics) {}

  /** The relay of this process. */
  public record RelayReport(
      String name,
      RelayStatus.Health health,
      String reason,
      int lanes,
      int inMemory,
      Map<String, Duration> brokersDown,
      Map<String, Integer> failing,
      RelayStatus.Counts counts) {
    private static RelayReport of(RelayStatus status) {
      return new RelayReport(
          status.name(),
          status.health(),
          status.reason(),
          status.lanes().size(),
          status.inMemory(),
          status.brokersDown(),
          status.failing(),
          status.counts());
    }
  }

  /** What waits in the tables, and for how long. */
  public record TableReport(
      long ready,
      @Nullable Duration oldestReady,
      long parked,
      @Nullable Duration oldestDue,
      long delayed,
      long dead,
      Map<String, Snapshot.Depth> topics,
      int relays) {
    private static TableReport of(Snapshot snapshot) {
      return new TableReport(
          snapshot.ready(),
          snapshot.oldestReady(),
          snapshot.parked(),
          snapshot.oldestDue(),
          snapshot.delayed(),
          snapshot.dead(),
          snapshot.topics(),
          snapshot.relays().size());
    }
  }

  /** Everything at one look. */
  @ReadOperation
  public Report report() {
    RelayReport relay =
        lifecycle == null
            ? null
            : lifecycle.relay().map(Relay::status).map(RelayReport::of).orElse(null);
    return new Report(
        relay, TableReport.of(store.snapshot(BOUND)), Topics.create(store).settings());
  }

  /** Changes a topic, and returns in words what was done. The log says what, but not who. */
  @WriteOperation
  public Map<String, String> change(@Selector String topic, Change change) {
    return change("unknown", topic, change);
  }

  /** As {@link #change(String, Change)}; the log says who changed what. */
  Map<String, String> change(String who, String topic, Change change) {
    // before the change: its reply may be lost
    log.info("actuator: who={} what={}", ShortText.oneLine(who), what(change, topic));
    Topics topics = Topics.create(store);
    Object done =
        switch (change) {
          case PAUSE -> topics.pause(topic);
          case RESUME -> topics.resume(topic);
          case REPLAY ->
              DeadLetters.create(store)
                  .replay(DeadLetters.Filter.all().topic(topic), DeadLetters.ReplayPlan.atOnce());
        };
    return Map.of("topic", topic, "done", done.toString());
  }

  private static String what(Change change, String topic) {
    String verb = change.name().toLowerCase(Locale.ROOT);
    return ShortText.oneLine(
        change == Change.REPLAY
            ? "%s dead letters, topic=%s".formatted(verb, topic)
            : "%s topic=%s".formatted(verb, topic));
  }
}
