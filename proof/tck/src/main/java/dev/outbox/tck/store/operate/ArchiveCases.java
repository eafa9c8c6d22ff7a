package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Archive;
import dev.outbox.Relay;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Purged;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Delivered messages are kept where asked for. */
public abstract class ArchiveCases extends StoreCases {
  protected ArchiveCases(Opener opener) {
    super(opener);
  }

  private static void deliver(StoreEnvironment environment, int count) throws Exception {
    try (Connection connection = environment.applications().getConnection();
        LaneStore relay = environment.store().lanes("a", LEASE)) {
      connection.setAutoCommit(false);
      environment.store().append(connection, numbered("k", count));
      connection.commit();
      Lease lease = claimFirst(relay);
      List<Fate> fates = deliver(read(relay, LANE));
      assertThat(settled(settle(relay, lease, fates)).missing()).isZero();
      settled(settle(relay, lease, fates));
      release(relay, lease);
    }
  }

  @Test
  void delivered_messages_are_kept_once_until_they_are_purged_in_bounded_batches()
      throws Exception {
    try (StoreEnvironment kept = opener.open(StoreSetting.lanes(1).archiving())) {
      deliver(kept, 5);
      kept.passTime(Duration.ofHours(2));
      deliver(kept, 1);
      assertThat(kept.store().archives()).isTrue();
      assertThat(purge(kept, Duration.ofHours(3), 10)).isZero();
      assertThat(purge(kept, Duration.ofHours(1), 3)).isEqualTo(3);
      assertThat(purge(kept, Duration.ofHours(1), 3)).isEqualTo(2);
      assertThat(purge(kept, Duration.ofHours(1), 3)).isZero();
    }
  }

  private static int purge(StoreEnvironment kept, Duration retention, int atMost) {
    return kept.store().purgeArchive(retention, Instant.EPOCH, atMost).messages();
  }

  @Test
  void a_purge_begins_where_the_last_one_ended_and_looks_at_nothing_before() throws Exception {
    try (StoreEnvironment kept = opener.open(StoreSetting.lanes(1).archiving())) {
      for (int hour = 0; hour < 3; hour++) {
        deliver(kept, 2);
        kept.passTime(Duration.ofHours(1));
      }
      kept.passTime(Duration.ofHours(1));
      Instant start = Instant.EPOCH;
      // of two that were completed together one is left for the next
      Purged first = kept.store().purgeArchive(Duration.ofHours(1), start, 3);
      assertThat(first.messages()).isEqualTo(3);
      Instant third = first.upTo().plus(Duration.ofMinutes(30));
      assertThat(kept.store().purgeArchive(Duration.ZERO, third.plus(Duration.ofHours(1)), 10))
          .isEqualTo(new Purged(0, third.plus(Duration.ofHours(1))));
      Purged last = kept.store().purgeArchive(Duration.ofHours(1), first.upTo(), 10);
      assertThat(last.messages()).isEqualTo(3);
      assertThat(last.upTo()).isAfter(third);
      assertThat(kept.store().purgeArchive(Duration.ZERO, last.upTo(), 10).messages()).isZero();
    }
  }

  @Test
  void messages_delivered_from_the_parked_are_kept_too_and_others_are_not() throws Exception {
    try (StoreEnvironment kept = opener.open(StoreSetting.lanes(1).archiving());
        LaneStore relay = kept.store().lanes("a", LEASE)) {
      try (Connection connection = kept.applications().getConnection()) {
        connection.setAutoCommit(false);
        kept.store().append(connection, List.of(keyed("a", "1"), keyed("b", "2"), keyed("c", "3")));
        connection.commit();
      }
      Lease lease = claimFirst(relay);
      List<StoredEnvelope> stored = read(relay, LANE);
      Fate rest = fail(stored.get(2), LEASE);
      settle(relay, lease, fail(stored.get(0), Duration.ZERO), bury(stored.get(1)), rest);
      settle(relay, lease, deliver(readDue(relay)));
      kept.passTime(Duration.ofHours(2));
      assertThat(purge(kept, Duration.ofHours(1), 10)).isEqualTo(1);
    }
  }

  @Test
  void a_relay_purges_what_is_past_its_retention_and_an_operator_what_he_says() throws Exception {
    try (StoreEnvironment kept = opener.open(StoreSetting.lanes(1).archiving())) {
      deliver(kept, 1200);
      kept.passTime(Duration.ofHours(2));
      deliver(kept, 3);
      drain(kept, Duration.ofHours(3));
      assertThat(Archive.create(kept.store()).purge(Duration.ofHours(3))).isZero();
      drain(kept, Duration.ofHours(1));
      assertThat(Archive.create(kept.store()).purge(Duration.ofHours(1))).isZero();
      kept.passTime(Duration.ofHours(2));
      assertThat(Archive.create(kept.store()).purge(Duration.ofHours(1))).isEqualTo(3);
    }
  }

  private static void drain(StoreEnvironment kept, Duration retention) {
    ManualRelay.Builder relay =
        ManualRelay.builder(kept.store(), Publisher.blocking(envelope -> {}));
    try (ManualRelay purging = relay.archiveRetention(retention).build()) {
      purging.drainNow();
    }
  }

  @Test
  void without_an_archive_there_is_nothing_to_purge() throws Exception {
    deliver(environment(), 5);
    passTime(Duration.ofHours(2));
    assertThat(purge(environment(), Duration.ofHours(1), 10)).isZero();
    assertThat(store().archives()).isFalse();
    Relay.Builder relay =
        Relay.builder(store(), Publisher.blocking(envelope -> {}))
            .archiveRetention(Duration.ofDays(30));
    assertThatThrownBy(relay::start)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("archiveRetention is PT720H, but this store keeps no delivered");
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }
}
