package dev.outbox;

import dev.outbox.internal.operate.BatchedPurge;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.MessageStore.Portion;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Purged;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivered messages that a store keeps instead of deleting them.
 *
 * <p>Safe for use by many threads. Read the archive itself by SQL, see the page on tables; a relay
 * with {@link Relay.Builder#archiveRetention} purges by itself.
 *
 * <pre>{@code
 * Archive archive = Archive.create(store);
 * Instant to = Instant.now().minus(Duration.ofHours(1));
 * archive.publishAgain("orders.placed", to.minus(Duration.ofHours(1)), to);
 * archive.purge(Duration.ofDays(30));
 * }</pre>
 */
public final class Archive {
  private static final Logger log = LoggerFactory.getLogger(Archive.class);
  private static final int BATCH = 1000;

  private final OutboxStore store;

  private Archive(OutboxStore store) {
    this.store = store;
  }

  public static Archive create(OutboxStore store) {
    return new Archive(Objects.requireNonNull(store, "store"));
  }

  /**
   * Deletes what was completed longer ago than {@code retention}, in batches of 1,000, each in one
   * transaction. Returns how many; none where the store keeps no history.
   *
   * @throws IllegalArgumentException when the retention is negative
   * @throws dev.outbox.StoreException when the database refuses; what was deleted stays so
   */
  public long purge(Duration retention) {
    requireRetention("retention", retention);
    long messages = 0;
    Instant from;
    Purged purged = new Purged(0, Instant.EPOCH);
    do {
      from = purged.upTo();
      purged = store.purgeArchive(retention, from, BATCH);
      messages += purged.messages();
    } while (BatchedPurge.mayBeMore(purged.messages()) || wasPurgedByAnother(purged, from));
    return messages;
  }

  /** The batch was found, but when it was to be deleted it was gone. */
  private static boolean wasPurgedByAnother(Purged purged, Instant from) {
    return purged.messages() == 0 && purged.upTo().isAfter(from);
  }

  /**
   * Publishes the delivered messages of a topic again that were completed from {@code from} until
   * before {@code to}, in the order in which they were completed, behind what is ready. They keep
   * their message ids, so a consumer that drops repeats drops them as long as it remembers them.
   * They stay in the archive, and come to it once more. Works in batches of 1,000, each in one
   * transaction. Returns how many.
   *
   * <p>One whose {@code notAfter} is over becomes a dead letter. Messages in lanes that the tables
   * have no more are left out.
   *
   * @throws IllegalArgumentException when the store keeps no archive, the time is empty, or its end
   *     lies ahead: what is published again would be in it
   * @throws dev.outbox.StoreException when the database refuses; the log says how far it came
   */
  public long publishAgain(String topic, Instant from, Instant to) {
    requireRange(Topics.checked(topic), from, to);
    MessageStore messages = store.messages();
    long published = 0;
    Instant after;
    Portion portion =
        new Portion(0, from.equals(Instant.MIN) ? from : from.minus(1, ChronoUnit.MICROS));
    do {
      after = portion.upTo();
      portion = publishAgain(messages, topic, after, to);
      published += portion.messages();
    } while (portion.upTo().isAfter(after)); // a short one is not the last while others purge
    return published;
  }

  private Portion publishAgain(MessageStore messages, String topic, Instant after, Instant to) {
    Portion portion;
    try {
      portion = messages.publishAgain(topic, after, to, BATCH);
    } catch (StoreException e) {
      log.warn(
          "topic={} was published again up to {} only; call again from there, up to {}",
          topic,
          after,
          to);
      throw e;
    }
    store.wakeup().wake(Set.of());
    return portion;
  }

  private void requireRange(String topic, Instant from, Instant to) {
    if (!store.archives()) {
      throw new IllegalArgumentException(
          "topic %s cannot be published again, because this store keeps no delivered messages; build it with archive()"
              .formatted(topic));
    }
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "from is %s, it must lie before to, %s".formatted(from, to));
    }
    Instant now = store.now();
    if (to.isAfter(now)) {
      throw new IllegalArgumentException(
          "to is %s, the latest is now, %s; choose an end in the past, because what is published again is archived again"
              .formatted(to, now));
    }
  }

  static Duration requireRetention(String name, Duration retention) {
    if (Objects.requireNonNull(retention, name).isNegative()) {
      throw new IllegalArgumentException(name + " is " + retention + ", the minimum is zero");
    }
    return retention;
  }
}
