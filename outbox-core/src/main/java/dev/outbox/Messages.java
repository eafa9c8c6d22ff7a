package dev.outbox;

import dev.outbox.internal.operate.Counts;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds a single message, wherever it is, and cancels one that is not due yet.
 *
 * <p>Safe for use by many threads.
 *
 * <pre>{@code
 * Messages messages = Messages.create(store);
 * for (Messages.Found found : messages.find(id)) {
 *   System.out.println(found.place() + " " + found.error());
 * }
 * boolean cancelled = messages.cancel(id); // one with a delay
 * List<Messages.Retrying> failing = messages.retrying(100); // of all topics, the next first
 * List<Messages.Retrying> mails = messages.retrying("mails", 100);
 * }</pre>
 */
public final class Messages {
  /** The most that one call lists. */
  public static final int MAX_PAGE = 1000;

  /** How far the clock of a writer may be ahead of the database's. */
  private static final Duration SLACK = Duration.ofHours(1);

  /** Most messages end soon after they were made, so the search begins there. */
  private static final List<Duration> SPANS =
      List.of(Duration.ofHours(2), Duration.ofDays(1), Duration.ofDays(30));

  private final MessageStore store;

  private Messages(MessageStore store) {
    this.store = store;
  }

  public static Messages create(OutboxStore store) {
    return new Messages(store.messages());
  }

  /**
   * Where the message is; empty when it was never committed, or has left: delivered by a store that
   * keeps no archive, purged, discarded or cancelled. There may be several, as of one that was
   * delivered and is published again.
   *
   * <p>It needs no index: all that waits is read, and what has ended from the time of the id on,
   * first two hours of it, then more while nothing is found. An id without a time makes it read
   * everything.
   *
   * @throws StoreException when the database refuses, or when reading takes too long
   */
  public List<Found> find(MessageId id) {
    List<Found> waiting = store.waiting(Objects.requireNonNull(id, "id"));
    List<Found> ended = ended(id);
    if (waiting.isEmpty() && ended.isEmpty()) {
      return store.waiting(id); // it may have been replayed meanwhile
    }
    return Stream.concat(waiting.stream(), ended.stream()).toList();
  }

  private List<Found> ended(MessageId id) {
    Instant made = id.madeAt().orElse(null);
    if (made == null) {
      return store.ended(id, Instant.EPOCH, Instant.MAX);
    }
    Instant from = made.minus(SLACK);
    for (Duration span : SPANS) {
      Instant to = from.plus(span);
      List<Found> found = store.ended(id, from, to);
      if (!found.isEmpty()) {
        return found;
      }
      from = to;
    }
    return store.ended(id, from, Instant.MAX);
  }

  /**
   * Deletes a message that was enqueued with a delay, before it is due. False when it is not there,
   * or not delayed any more: then it is published. Its dedupe key stays taken.
   *
   * @throws StoreException when the database refuses
   */
  public boolean cancel(MessageId id) {
    return store.cancel(Objects.requireNonNull(id, "id"));
  }

  /** As {@link #retrying(String, int)}, of all topics. */
  public List<Retrying> retrying(int limit) {
    return store.retrying(null, Counts.ofPage("limit", limit, MAX_PAGE));
  }

  /**
   * The messages of the topic that failed and are tried again at a time, the next first. One with a
   * key holds it: what comes later in that key waits for it.
   *
   * @throws IllegalArgumentException when the limit is not 1 to {@value #MAX_PAGE}
   */
  public List<Retrying> retrying(String topic, int limit) {
    return store.retrying(Topics.checked(topic), Counts.ofPage("limit", limit, MAX_PAGE));
  }

  /**
   * A message that failed and is tried again, without its payload.
   *
   * <p>Immutable. {@code nextTry} may have passed while no relay has time for it.
   */
  public record Retrying(
      MessageId id, String topic, @Nullable Key key, int attempts, Instant nextTry, String error) {}

  /** Where a message can be. */
  public enum Place {
    /** It waits for a relay. */
    READY,
    /** It is tried again later, or waits for its topic or for one before it in its key. */
    PARKED,
    /** It was enqueued with a delay and is not due yet. */
    DELAYED,
    /** It waits for an operator: {@link DeadLetters}. */
    DEAD,
    /** It was delivered. */
    ARCHIVED
  }

  /**
   * A message and where it is.
   *
   * <p>Immutable. {@code at} is when it was written (ready), is due (parked, delayed), died or was
   * delivered; null for a parked one that waits for its topic or key. {@code reason}, {@code
   * attempts} and {@code error} are those of a parked or dead one. {@code letter} names a dead
   * letter, for {@link DeadLetters#replay(List)}.
   */
  public record Found(
      Place place,
      Envelope envelope,
      @Nullable Instant at,
      String reason,
      int attempts,
      String error,
      DeadLetter.@Nullable Id letter) {
    /** One that was not tried, or not in vain. */
    public Found(Place place, Envelope envelope, @Nullable Instant at) {
      this(place, envelope, at, "", 0, "", null);
    }
  }
}
