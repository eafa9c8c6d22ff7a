package dev.outbox;

import dev.outbox.cluster.Clusters;
import dev.outbox.internal.enqueue.CallerTransaction;
import dev.outbox.internal.enqueue.CommitWakeups;
import dev.outbox.internal.enqueue.Envelopes;
import dev.outbox.internal.enqueue.MessageWriter;
import dev.outbox.internal.enqueue.Observers;
import dev.outbox.internal.operate.BatchedPurge;
import dev.outbox.internal.operate.Counts;
import dev.outbox.internal.operate.Retention;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in the application's own transaction.
 *
 * <p>Safe for use by many threads. It never commits, never closes and never changes the connection
 * that it is given.
 */
public final class Outbox {
  private final OutboxStore store;
  private final MessageWriter writer;
  private final CommitWakeups commitWakeups;

  private Outbox(Builder builder) {
    this.store = builder.store;
    Layout layout = store.layout();
    if (builder.clusters != null) {
      layout.require(builder.clusters);
    }
    Envelopes envelopes =
        new Envelopes(
            layout,
            builder.codec == null ? JacksonCodec.create() : builder.codec,
            List.copyOf(builder.headerSources),
            new Observers(builder.observers),
            builder.maxPayloadBytes,
            builder.maxHeaderBytes,
            builder.limits);
    this.writer = new MessageWriter(store, envelopes, builder.dedupeRetention);
    this.commitWakeups = new CommitWakeups(store.wakeup());
  }

  /** An outbox with every setting at its default. */
  public static Outbox create(OutboxStore store) {
    return builder(store).build();
  }

  /** Begins an outbox with other settings. */
  public static Builder builder(OutboxStore store) {
    return new Builder(store);
  }

  /**
   * Writes one message in the caller's transaction: it is published if that commits, and never if
   * it does not. A message whose {@link Message.Draft#dedupeKey} is remembered is not written; the
   * id of the first is returned.
   *
   * @throws IllegalArgumentException when the connection or the message is not fit; nothing is
   *     written then
   * @throws StoreException when the database refuses the row
   */
  public MessageId enqueue(Connection transaction, Message message) {
    return enqueue(transaction, List.of(Objects.requireNonNull(message, "message"))).get(0);
  }

  /**
   * Writes several messages in the caller's transaction, with one INSERT for many, in the order of
   * the list. All are checked before the first is written.
   *
   * @throws IllegalArgumentException when the connection or a message is not fit; nothing is
   *     written then
   * @throws StoreException when the database refuses a row; nothing of the list is written then,
   *     where its transaction can go on
   */
  public List<MessageId> enqueue(Connection transaction, List<Message> messages) {
    MessageWriter.Result result = write(transaction, messages);
    commitWakeups.wrote(transaction, result.written());
    return result.ids();
  }

  private MessageWriter.Result write(Connection transaction, List<Message> messages) {
    requireTransaction(transaction);
    Objects.requireNonNull(messages, "messages");
    return writer.write(transaction, messages);
  }

  /**
   * Deletes each {@link Message.Draft#dedupeKey} whose retention is over, in batches, each in a
   * short transaction. Returns how many. Any process may call it at any time, best once a day: a
   * key whose retention is over has no effect, but stays in the table until then.
   *
   * @throws StoreException when the database refuses, or the table is missing
   */
  public long purgeDedupeKeys() {
    return BatchedPurge.all(store.dedupe()::purge);
  }

  /**
   * Wakes the relays that the store's wake-ups reach: those of this process, and more if the store
   * says so. Call it after the commit of your own connection; forgetting it costs up to a poll,
   * never a message.
   */
  public void wake() {
    commitWakeups.wake();
  }

  CommitWakeups commitWakeups() {
    return commitWakeups;
  }

  /**
   * This outbox within the transactions of a framework: no connection to pass, and the relay is
   * woken after the commit.
   */
  public Joined join(Transactions transactions) {
    return new Joined(this, Objects.requireNonNull(transactions, "transactions"));
  }

  private static void requireTransaction(Connection connection) {
    CallerTransaction.require(
        connection,
        "enqueue before it is closed",
        "the message without your business data; call setAutoCommit(false), write both, then"
            + " commit");
  }

  /**
   * Settings of an outbox.
   *
   * <ul>
   *   <li>{@link #codec}: JSON by Jackson
   *   <li>{@link #headers}: no sources
   *   <li>{@link #observer}: none
   *   <li>{@link #maxPayload}: 1 MiB
   *   <li>{@link #maxHeaders}: 8 KiB
   *   <li>{@link #limits}: none
   *   <li>{@link #dedupeRetention}: 7 days
   *   <li>{@link #clusters}: as the tables say
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final OutboxStore store;
    private final List<Supplier<Map<String, String>>> headerSources = new ArrayList<>();
    private final List<EnqueueObserver> observers = new ArrayList<>();
    private @Nullable PayloadCodec codec;
    private int maxPayloadBytes = 1024 * 1024;
    private int maxHeaderBytes = 8 * 1024;
    private MessageLimits limits = MessageLimits.none();
    private Duration dedupeRetention = Duration.ofDays(7);
    private @Nullable Clusters clusters;

    private Builder(OutboxStore store) {
      this.store = Objects.requireNonNull(store, "store");
    }

    /** Encodes payload objects. Default: JSON by Jackson. */
    public Builder codec(PayloadCodec codec) {
      this.codec = Objects.requireNonNull(codec, "codec");
      return this;
    }

    /**
     * Gives every message headers, such as a tenant or a user: called at every enqueue, on the
     * caller's thread. A header of the message itself wins, then that of an earlier source.
     * Default: none.
     */
    public Builder headers(Supplier<Map<String, String>> source) {
      headerSources.add(Objects.requireNonNull(source, "source"));
      return this;
    }

    /**
     * Watches what is written, and may add headers. Several are asked in turn; what a message or an
     * earlier one set stays. Default: none.
     */
    public Builder observer(EnqueueObserver observer) {
      observers.add(Objects.requireNonNull(observer, "observer"));
      return this;
    }

    /**
     * The largest encoded payload, in bytes. Default: 1 MiB. Raise the relay's bounds and the
     * server's packet limit with it.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder maxPayload(int bytes) {
      this.maxPayloadBytes = Counts.atLeastOne("maxPayload", bytes);
      return this;
    }

    /**
     * The largest sum of header names and values, in bytes of UTF-8. Default: 8 KiB.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder maxHeaders(int bytes) {
      this.maxHeaderBytes = Counts.atLeastOne("maxHeaders", bytes);
      return this;
    }

    /**
     * What the broker can hold: a message beyond it is refused at enqueue. Without them its
     * publisher rejects it, and it becomes a dead letter. Default: none.
     */
    public Builder limits(MessageLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * How long a {@link Message.Draft#dedupeKey} is remembered, from the enqueue of its message on.
     * Default: 7 days.
     *
     * @throws IllegalArgumentException when it is not 1 second to 3,650 days
     */
    public Builder dedupeRetention(Duration retention) {
      this.dedupeRetention = Retention.checked("dedupeRetention", retention);
      return this;
    }

    /**
     * The cluster that this outbox expects to write in; {@link #build} refuses the tables of
     * another. Default: as the tables say.
     */
    public Builder clusters(Clusters clusters) {
      this.clusters = Objects.requireNonNull(clusters, "clusters");
      return this;
    }

    /**
     * The outbox.
     *
     * @throws IllegalArgumentException when the tables are those of another cluster than expected
     */
    public Outbox build() {
      return new Outbox(this);
    }
  }

  /**
   * An outbox that finds the transaction itself.
   *
   * <p>Safe for use by many threads if its transactions are.
   */
  public static final class Joined {
    private final Outbox outbox;
    private final Transactions transactions;

    private Joined(Outbox outbox, Transactions transactions) {
      this.outbox = outbox;
      this.transactions = transactions;
    }

    /** Writes one message: as {@link #enqueue(List)}, with the same exceptions. */
    public MessageId enqueue(Message message) {
      return enqueue(List.of(Objects.requireNonNull(message, "message"))).get(0);
    }

    /**
     * Writes several messages in the present transaction, with one INSERT for many; wakes the relay
     * once it commits.
     *
     * @throws IllegalArgumentException when the connection or a message is not fit
     * @throws IllegalStateException when no transaction is active, or the framework did not lend
     *     its connection once
     * @throws StoreException when the database refuses a row
     */
    public List<MessageId> enqueue(List<Message> messages) {
      Objects.requireNonNull(messages, "messages");
      List<MessageWriter.Result> results = new ArrayList<>();
      transactions.use(connection -> results.add(outbox.write(connection, messages)));
      if (results.size() != 1) {
        throw new IllegalStateException(
            "use(..) of the Transactions called its work %d times, it must be once; let it throw where there is no transaction"
                .formatted(results.size()));
      }
      transactions.afterCommit(outbox.commitWakeups.afterCommit(results.get(0).written()));
      return results.get(0).ids();
    }
  }
}
