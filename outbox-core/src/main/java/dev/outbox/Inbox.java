package dev.outbox;

import dev.outbox.internal.enqueue.CallerTransaction;
import dev.outbox.internal.operate.BatchedPurge;
import dev.outbox.internal.operate.Retention;
import dev.outbox.internal.text.StorableText;
import dev.outbox.message.MessageId;
import dev.outbox.spi.ReceiptStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the effect of a message happen once, though the message may be delivered more than once.
 * The receipt of a message is written in the consumer's own transaction, beside the effect, so that
 * both are committed or neither.
 *
 * <p>Safe for use by many threads. It never commits, never closes and never changes the connection
 * that it is given. Defaults: receipts are kept for 30 days, the system's clock measures ages.
 */
public final class Inbox {
  /** The longest name of a consumer, in UTF-16 characters. */
  public static final int MAX_CONSUMER = 255;

  /** How far the clocks of writers, consumers and the database may be apart. */
  static final Duration SKEW = Duration.ofHours(1);

  private final ReceiptStore store;
  private final Duration retention;
  private final InstantSource clock;

  private Inbox(Builder builder) {
    this.store = builder.store;
    this.retention = builder.retention;
    this.clock = builder.clock;
  }

  /** An inbox with every setting at its default. */
  public static Inbox create(ReceiptStore store) {
    return builder(store).build();
  }

  public static Builder builder(ReceiptStore store) {
    return new Builder(store);
  }

  /** What came of a message. */
  public enum Answer {
    /** It is new to this consumer: the work was done, and commits with its receipt. */
    DONE,
    /** The consumer has had it: nothing was done. */
    REPEATED,
    /**
     * It is older than receipts are kept, so the consumer may have had it or not: nothing was done.
     * Store it for an operator before you acknowledge it.
     */
    TOO_OLD
  }

  /**
   * A message as it came in. {@code notBefore} is the earliest time at which it can have been
   * delivered. Set it for a delayed message, whose id is from its enqueue, and for an id that is
   * not a UUID of version 7 and so carries no time. At most an hour ahead; null if nothing is
   * known.
   */
  public record Delivery(String consumer, MessageId id, @Nullable Instant notBefore) {
    public Delivery {
      StorableText.check("consumer", consumer, MAX_CONSUMER);
      Objects.requireNonNull(id, "id");
    }
  }

  /**
   * Which of several messages are new to the consumer, each list in the order in which they were
   * given. A second one of the same id counts as a repeat.
   *
   * <p>Immutable.
   */
  public record Sorted(List<MessageId> fresh, List<MessageId> repeated, List<MessageId> tooOld) {
    public Sorted {
      fresh = List.copyOf(fresh);
      repeated = List.copyOf(repeated);
      tooOld = List.copyOf(tooOld);
    }
  }

  /**
   * Does {@code work} in the caller's transaction, unless {@code consumer} has done it for this
   * message before. If another transaction is just doing it, this waits for its end, as long as the
   * database lets one wait for a lock, and does the work if that was rolled back. What {@code work}
   * throws undoes it and its receipt, and is rethrown; the transaction can continue. {@code work}
   * must not end the transaction.
   *
   * @throws IllegalArgumentException when the connection is not fit, the consumer's name is empty,
   *     too long, or not storable on every database, or the id was made more than an hour from now;
   *     nothing is written then
   * @throws StoreException when the table is missing, or the database refuses
   */
  public <E extends Exception> Answer once(
      Connection transaction, String consumer, MessageId id, Transactions.Work<E> work)
      throws E, SQLException {
    return once(transaction, new Delivery(consumer, id, null), work);
  }

  /** As {@link #once(Connection, String, MessageId, Transactions.Work)}, knowing more of it. */
  public <E extends Exception> Answer once(
      Connection transaction, Delivery delivery, Transactions.Work<E> work) throws E, SQLException {
    requireTransaction(transaction);
    Objects.requireNonNull(work, "work");
    if (isTooOld(delivery)) {
      return Answer.TOO_OLD;
    }
    return CallerTransaction.<Answer, E>undoing(
        transaction,
        connection -> {
          if (written(connection, delivery.consumer(), List.of(delivery.id())).isEmpty()) {
            return Answer.REPEATED;
          }
          work.run(connection);
          return Answer.DONE;
        });
  }

  /**
   * Writes the receipts of several messages at once, and returns which of them are new: their work
   * is the caller's to do, in the same transaction. Otherwise as {@link #once}; the ids are
   * received in ascending order, so that two calls with the same ones do not deadlock. Call it once
   * in a transaction.
   *
   * @throws IllegalArgumentException as {@link #once}
   * @throws StoreException as {@link #once}
   */
  public Sorted receive(Connection transaction, String consumer, List<MessageId> ids) {
    requireTransaction(transaction);
    StorableText.check("consumer", consumer, MAX_CONSUMER);
    return receive(transaction, ids.stream().map(id -> new Delivery(consumer, id, null)).toList());
  }

  /**
   * As {@link #receive(Connection, String, List)}, knowing more of them. An id that is given twice
   * is as young as its younger delivery.
   *
   * @throws IllegalArgumentException also when they are of several consumers
   */
  public Sorted receive(Connection transaction, List<Delivery> deliveries) {
    requireTransaction(transaction);
    List<MessageId> ids = deliveries.stream().map(Delivery::id).toList();
    TreeSet<MessageId> young = new TreeSet<>();
    for (Delivery delivery : deliveries) {
      requireOne(deliveries.get(0).consumer(), delivery.consumer());
      if (!isTooOld(delivery)) {
        young.add(delivery.id());
      }
    }
    return sorted(
        ids,
        young,
        young.isEmpty() ? Set.of() : all(transaction, deliveries.get(0).consumer(), young));
  }

  private static void requireOne(String first, String other) {
    if (!first.equals(other)) {
      throw new IllegalArgumentException(
          "deliveries are for consumers '%s' and '%s'; receive those of one consumer at a time"
              .formatted(first, other));
    }
  }

  /** All receipts or none: one without its work would lose the message. */
  private Set<MessageId> all(Connection transaction, String consumer, Set<MessageId> ids) {
    try {
      return CallerTransaction.<Set<MessageId>, SQLException>undoing(
          transaction, connection -> written(connection, consumer, List.copyOf(ids)));
    } catch (SQLException e) {
      throw StoreException.passing("the receipts cannot be written: " + e.getMessage(), e);
    }
  }

  private static Sorted sorted(List<MessageId> ids, Set<MessageId> young, Set<MessageId> received) {
    Set<MessageId> left = new HashSet<>(received);
    List<MessageId> fresh = new ArrayList<>();
    List<MessageId> repeated = new ArrayList<>();
    List<MessageId> tooOld = new ArrayList<>();
    for (MessageId id : ids) {
      if (!young.contains(id)) {
        tooOld.add(id);
      } else {
        (left.remove(id) ? fresh : repeated).add(id);
      }
    }
    return new Sorted(fresh, repeated, tooOld);
  }

  /**
   * Deletes the receipts whose retention is over, in batches, each in a short transaction. Returns
   * how many. Any process may call it at any time, best once a day.
   */
  public long purge() {
    return BatchedPurge.all(store::purge);
  }

  private Set<MessageId> written(Connection transaction, String consumer, List<MessageId> ids) {
    return store.receive(transaction, consumer, ids, retention.plus(SKEW));
  }

  private boolean isTooOld(Delivery delivery) {
    Instant now = clock.instant();
    Instant oldest = now.minus(retention);
    return since(delivery, now.plus(SKEW)).orElse(oldest).isBefore(oldest);
  }

  /**
   * When it can have been delivered first. A time ahead would keep the message young for longer
   * than its receipt is kept, and its work would be done twice.
   */
  private static Optional<Instant> since(Delivery delivery, Instant latest) {
    Optional<Instant> madeAt = delivery.id().madeAt();
    if (madeAt.isPresent() && madeAt.get().isAfter(latest)) {
      throw new IllegalArgumentException(
          "id %s was made at %s, the latest is %s, an hour from now; correct the writer's clock or this one"
              .formatted(delivery.id(), madeAt.get(), latest));
    }
    Instant notBefore = delivery.notBefore();
    if (notBefore != null && notBefore.isAfter(latest)) {
      throw new IllegalArgumentException(
          "notBefore is %s, the latest is %s, an hour from now; give the time of the enqueue, or null"
              .formatted(notBefore, latest));
    }
    return Stream.concat(madeAt.stream(), Stream.ofNullable(notBefore))
        .max(Comparator.naturalOrder());
  }

  private static void requireTransaction(Connection transaction) {
    CallerTransaction.require(
        transaction,
        "receive before it is closed",
        "the receipt without the work; call setAutoCommit(false), receive, then commit");
  }

  /**
   * Settings of an inbox.
   *
   * <ul>
   *   <li>{@link #retention}: 30 days
   *   <li>{@link #clock}: the system's
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final ReceiptStore store;
    private Duration retention = Duration.ofDays(30);
    private InstantSource clock = InstantSource.system();

    private Builder(ReceiptStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /**
     * How long after its enqueue a message may still be delivered, first or again: choose more than
     * the longest outage and delay. A message older than that is {@link Answer#TOO_OLD}. Default:
     * 30 days.
     *
     * @throws IllegalArgumentException when it is not 1 second to 3,650 days
     */
    public Builder retention(Duration retention) {
      this.retention = Retention.checked("retention", retention);
      return this;
    }

    /** Returns the present time, for tests. Default: the system's clock. */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    public Inbox build() {
      return new Inbox(this);
    }
  }
}
