package dev.outbox.testkit.internal.kit;

import dev.outbox.Messages.Place;
import dev.outbox.Snapshot;
import dev.outbox.Snapshot.OwnedLane;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.Contents;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.internal.broker.ArrivalLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/** What differs between kits in memory and over a database. Safe for use by many threads. */
public interface KitParts {
  OutboxStore store();

  /** The store as the outbox has it. */
  OutboxStore written();

  /** The publisher as the relays have it. */
  Publisher sent(Publisher publisher);

  /** The time of relay and broker. */
  InstantSource time();

  /**
   * The time of all parts.
   *
   * @throws IllegalStateException when the time is not the test's
   */
  SettableClock clock();

  /**
   * Where the application's connections come from.
   *
   * @throws IllegalStateException when it is not known
   */
  DataSource dataSource();

  ManualRelay.Builder relay(Publisher publisher);

  /** The name of that relay. */
  String relayName();

  Contents contents();

  /**
   * Delivers what is ready by {@code deliver}, discards the rest, and forgets what was enqueued and
   * sent. {@code deliver} returns how many messages have no answer.
   *
   * @throws IllegalStateException when it is in memory, and nothing was delivered, or when messages
   *     are left
   */
  void empty(IntSupplier deliver);

  /** Waits until that many messages were delivered. False when not within {@code timeout}. */
  boolean awaitDelivered(int count, Duration timeout) throws InterruptedException;

  /**
   * Waits until that many messages were delivered.
   *
   * @throws IllegalArgumentException when {@code count} is below 1
   * @throws AssertionError when they were not within {@code timeout}; it says where they are
   */
  default void requireDelivered(int count, Duration timeout) throws InterruptedException {
    ArrivalLog.requireSome(count);
    if (!awaitDelivered(count, timeout)) {
      Contents contents = contents();
      throw new AssertionError(
          "%d of %d messages were delivered within %s: %s"
              .formatted(contents.delivered(), count, timeout, contents));
    }
  }

  /**
   * Looks whether the kit's relay could deliver everything.
   *
   * @throws IllegalStateException when another relay has what the kit's should have delivered
   */
  default void requireAlone() {
    Snapshot snapshot = store().snapshot(1);
    List<OwnedLane> others =
        snapshot.lanes().stream()
            .filter(lane -> lane.owner() != null && !lane.owner().equals(relayName()))
            .toList();
    if (!others.isEmpty() && isAnythingDue(snapshot)) {
      throw new IllegalStateException(
          "relay %s owns %d of %d lanes, whose messages this kit cannot deliver; close it, and start no relay of the application in this test"
              .formatted(others.get(0).owner(), others.size(), snapshot.lanes().size()));
    }
  }

  private boolean isAnythingDue(Snapshot snapshot) {
    return snapshot.ready() > 0
        || snapshot.oldestDue() != null
        || contents().delayed().stream().anyMatch(envelope -> isOverdue(envelope.id()));
  }

  private boolean isOverdue(MessageId delayed) {
    Instant now = store().now();
    return store().messages().waiting(delayed).stream()
        .filter(found -> found.place() == Place.DELAYED)
        .anyMatch(found -> found.at() != null && !found.at().isAfter(now));
  }
}
