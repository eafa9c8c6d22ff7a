package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.internal.kit.KitParts;
import dev.outbox.testkit.internal.kit.KitRelays;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Everything that a test of an application needs: an outbox, a relay driven by hand, a broker. In
 * memory the clock of all three stands still until the test moves it. {@linkplain #over Over a
 * database} the application can write its own rows too, and the time is the database's.
 *
 * <p>The outbox, the store, the broker and the clock are safe for use by many threads; the relay
 * and {@link #deliver} belong to the test's own.
 */
public final class Kit implements AutoCloseable {
  private final KitParts parts;
  private final InMemoryBroker broker;
  private final PayloadCodec codec;
  private final Outbox outbox;
  private final KitRelays relays;

  private Kit(Builder builder) {
    KitDraft draft = builder.draft;
    this.parts = draft.parts();
    this.broker = draft.broker.clock(parts.time()).build();
    this.codec = draft.codec;
    this.outbox = draft.outbox(parts.written());
    this.relays =
        new KitRelays(parts, draft.publisher.apply(broker), draft.retry, ManualRelay::unanswered);
  }

  /** A kit in memory with the builder's defaults. */
  public static Kit inMemory() {
    return builder().build();
  }

  /** A kit over the tables of {@code store}, as {@link Builder#over(OutboxStore)}. */
  public static Kit over(OutboxStore store) {
    return builder().over(store).build();
  }

  /** Begins a kit with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** The outbox for the code under test. */
  public Outbox outbox() {
    return outbox;
  }

  /** The store: an {@link InMemoryStore}, or the one that the kit is over. */
  public OutboxStore store() {
    return parts.store();
  }

  /**
   * Connections for the application's transactions; in memory they know no SQL.
   *
   * @throws IllegalStateException when the kit is over a store and was given none
   */
  public DataSource dataSource() {
    return parts.dataSource();
  }

  /** The broker to which the relay sends. */
  public InMemoryBroker broker() {
    return broker;
  }

  /** The relay, which works only when the test says so. */
  public ManualRelay relay() {
    return relays.byHand();
  }

  /**
   * The clock of the store, the relay and the broker.
   *
   * @throws IllegalStateException when the kit is over a store and was given none: then the time is
   *     the database's
   */
  public SettableClock clock() {
    return parts.clock();
  }

  /** Encodes payload objects. */
  public PayloadCodec codec() {
    return codec;
  }

  /**
   * Where every committed message is. Over a database it knows those that {@link #outbox} wrote and
   * that the kit's relays sent, and all dead letters.
   */
  public Contents contents() {
    return parts.contents();
  }

  /** Runs {@code work} in a transaction and commits it; what it throws rolls back. */
  public <E extends Exception> void transaction(Transactions.Work<E> work) throws E, SQLException {
    Transactions.run(dataSource(), outbox, work);
  }

  /** Enqueues these in one transaction, and commits it. */
  public List<MessageId> enqueue(Message... messages) {
    try {
      return Transactions.<List<MessageId>, RuntimeException>call(
          dataSource(), outbox, tx -> outbox.enqueue(tx, Arrays.asList(messages)));
    } catch (SQLException e) {
      throw new IllegalStateException("the database did not commit: " + e.getMessage(), e);
    }
  }

  /**
   * Lets the relay publish all that is committed and due: afterwards each of these has been
   * delivered, waits after a failure, or is a dead letter. For answers of a publisher it waits: for
   * 10 s at most, by rows for 30 s with each claim.
   *
   * @throws AssertionError when an assertion failed in the publisher, or a condition of the broker
   *     threw
   * @throws IllegalStateException when the publisher has not answered within 10 s, another relay
   *     owns lanes with messages, or its own is closed
   */
  public void deliver() {
    relays.deliver();
  }

  /** Moves the {@link #clock} and {@linkplain #deliver delivers} what has fallen due. */
  public void pass(Duration time) {
    clock().advance(time);
    deliver();
  }

  /**
   * A relay on its own threads, for a test of what happens at the same time; {@link #close} closes
   * it. Leave {@link #relay} alone meanwhile. Retries fall due when the {@link #clock} is moved;
   * over a database without one they do so by themselves.
   */
  public Relay start() {
    return relays.start();
  }

  /**
   * Waits until {@code count} messages have been delivered and settled, by a relay on other
   * threads. Those of before this call count too, since the kit was made or cleared.
   *
   * @throws AssertionError when an assertion failed in the publisher, as {@link #deliver}, or when
   *     fewer were within {@code timeout}; the error lists where the messages are
   */
  public void awaitDelivered(int count, Duration timeout) throws InterruptedException {
    relays.awaitDelivered(count, timeout);
  }

  /**
   * Empties kit, broker and tables for the next test. Ready messages are delivered, those of paused
   * topics too. Answers of the publisher are waited for, at most 10 s; then a {@link #clock} is
   * moved past their deadline. Messages that back off after a failure are waited for, at most 5 s;
   * a clock is moved on instead. Delayed messages and dead letters are discarded. The broker
   * forgets what it has received, and its faults. Dedupe keys and settings of topics stay.
   *
   * @throws IllegalStateException when the kit is in memory, where a new one costs nothing, when
   *     messages are left although the clock was moved, or when there is no clock and no answer
   */
  public void clear() {
    parts.empty(() -> relays.deliverLeftovers(broker));
    broker.clear();
  }

  /** Closes the relay, and those of {@link #start}. */
  @Override
  public void close() {
    relays.close();
  }

  /**
   * Settings of a kit; each {@link #build} makes another one. Used by one thread. Defaults:
   *
   * <ul>
   *   <li>{@link #over(OutboxStore)}: nothing, the kit is in memory
   *   <li>{@link #clock}: in memory one that stands at the present; over a database its own time
   *   <li>{@link #lanes}: 32 lanes
   *   <li>{@link #codec}: JSON by Jackson
   *   <li>{@link #headers}: none
   *   <li>{@link #outbox}: every other setting at its default
   *   <li>{@link #retry}: {@link RetryPolicy#standard}
   *   <li>{@link #dedupe}: no window
   *   <li>{@link #publisher}: the broker's own
   * </ul>
   */
  public static final class Builder {
    private final KitDraft draft = new KitDraft();

    private Builder() {}

    /**
     * Works on the tables of {@code store}, as of {@code JdbcStore.create(dataSource)}, so that the
     * application can write its own rows in the same transaction. Each kit needs its own tables, or
     * empty ones, and no other relay on them. {@link Kit#dataSource}, {@link Kit#transaction} and
     * {@link Kit#enqueue} are refused. Default: in memory.
     */
    public Builder over(OutboxStore store) {
      draft.over = Objects.requireNonNull(store, "store");
      draft.dataSource = null;
      return this;
    }

    /** As {@link #over(OutboxStore)}, with a data source for transactions that the kit begins. */
    public Builder over(OutboxStore store, DataSource dataSource) {
      over(store);
      draft.dataSource = Objects.requireNonNull(dataSource, "dataSource");
      return this;
    }

    /**
     * The time of the relay, the broker and the store. A store that the kit is over must have been
     * made with the same. Default: in memory one that stands at the present, else the database's.
     */
    public Builder clock(SettableClock clock) {
      draft.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /** Claims by that many lanes, in memory. Default: 32. */
    public Builder lanes(int number) {
      draft.laidOut().lanes(number);
      return this;
    }

    /** Claims by rows, in memory; it keeps no order and takes no keys. Default: by lanes. */
    public Builder rows() {
      draft.laidOut().rows();
      return this;
    }

    /** Encodes payload objects. Default: JSON by Jackson. */
    public Builder codec(PayloadCodec codec) {
      draft.codec = Objects.requireNonNull(codec, "codec");
      return this;
    }

    /** Headers on every message, asked for at every enqueue. Default: none. */
    public Builder headers(Supplier<Map<String, String>> source) {
      draft.headers = Objects.requireNonNull(source, "source");
      return this;
    }

    /** Other settings of the outbox, as the application has them. Default: none. */
    public Builder outbox(Consumer<Outbox.Builder> settings) {
      draft.settings = Objects.requireNonNull(settings, "settings");
      return this;
    }

    /** When failed messages are tried again. Default: {@link RetryPolicy#standard}. */
    public Builder retry(RetryPolicy policy) {
      draft.retry = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** The broker drops repeats of its last {@code ids} message ids. Default: no window. */
    public Builder dedupe(int ids) {
      draft.broker.dedupe(ids);
      return this;
    }

    /** What the relay sends with, made for the kit's broker. Default: the broker's publisher. */
    public Builder publisher(Function<InMemoryBroker, Publisher> maker) {
      draft.publisher = Objects.requireNonNull(maker, "maker");
      return this;
    }

    /**
     * A fresh kit.
     *
     * @throws IllegalArgumentException when it is over a store and has lanes, rows, or a clock that
     *     is not the store's
     */
    public Kit build() {
      return new Kit(this);
    }
  }
}
