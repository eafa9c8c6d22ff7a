package dev.outbox.testkit;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.json.JacksonCodec;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything that a test of an application needs, in memory: an outbox, a relay driven by hand, a
 * broker, and the clock of all three, which stands still until the test moves it.
 *
 * <p>The outbox, the store, the broker and the clock are safe for use by many threads; the relay
 * and {@link #deliver} belong to the test's own.
 */
public final class Kit implements AutoCloseable {
  private final SettableClock clock = SettableClock.create();
  private final InMemoryStore store;
  private final InMemoryBroker broker;
  private final PayloadCodec codec;
  private final Outbox outbox;
  private final Publisher publisher;
  private final RetryPolicy retry;
  private final ManualRelay relay;

  private Kit(Builder builder) {
    this.store = builder.store.clock(clock).build();
    this.broker = builder.broker.clock(clock).build();
    this.codec = builder.codec;
    this.outbox = Outbox.builder(store).codec(codec).headers(builder.headers).build();
    this.publisher = builder.publisher.apply(broker);
    this.retry = builder.retry;
    this.relay = ManualRelay.builder(store, publisher).clock(clock).retry(retry).build();
  }

  /** A kit with the builder's defaults. */
  public static Kit inMemory() {
    return builder().build();
  }

  /** Begins a kit of other settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** What the application enqueues with. */
  public Outbox outbox() {
    return outbox;
  }

  /** Where it is stored. */
  public InMemoryStore store() {
    return store;
  }

  /** Connections for the application's transactions; they know no SQL. */
  public javax.sql.DataSource dataSource() {
    return store.dataSource();
  }

  /** Where it is sent to. */
  public InMemoryBroker broker() {
    return broker;
  }

  /** Moves nothing but when the test says so. */
  public ManualRelay relay() {
    return relay;
  }

  /** The clock of the store, the relay and the broker. */
  public SettableClock clock() {
    return clock;
  }

  /** What encodes payload objects. */
  public PayloadCodec codec() {
    return codec;
  }

  /** Runs {@code work} in a transaction and commits it; what it throws rolls back. */
  public <E extends Exception> void transaction(Transactions.Work<E> work) throws E, SQLException {
    Transactions.run(store.dataSource(), outbox, work);
  }

  /** Enqueues these in a transaction of their own, and commits it. */
  public List<MessageId> enqueue(Message... messages) {
    try {
      return Transactions.<List<MessageId>, RuntimeException>call(
          store.dataSource(), outbox, tx -> outbox.enqueue(tx, Arrays.asList(messages)));
    } catch (SQLException e) {
      throw new IllegalStateException("an in-memory transaction commits", e);
    }
  }

  /**
   * Lets the relay publish all that is committed and due: afterwards each of it has been delivered,
   * rests after a failure, or is a dead letter.
   */
  public void deliver() {
    relay.drainNow();
  }

  /** Moves the clock and {@linkplain #deliver delivers} what has fallen due. */
  public void pass(Duration time) {
    clock.advance(time);
    deliver();
  }

  /**
   * A relay on threads of its own and in real time, for a test of what happens at the same time;
   * the test closes it. It shares the lanes with {@link #relay}, so leave that one alone.
   */
  public Relay start() {
    return Relay.builder(store, publisher).retry(retry).start();
  }

  /**
   * Waits until so many messages have been delivered and settled, by a relay on other threads.
   *
   * @throws AssertionError when they have not within {@code timeout}; it says where they stand
   */
  public void awaitDelivered(int count, Duration timeout) throws InterruptedException {
    if (!store.await(contents -> contents.delivered() >= count, timeout)) {
      throw new AssertionError(
          "%d of %d messages were delivered within %s: %s"
              .formatted(store.contents().delivered(), count, timeout, store.contents()));
    }
  }

  /** Closes the relay. */
  @Override
  public void close() {
    relay.close();
  }

  /**
   * A kit that is not built yet; each build is a fresh one. Used by one thread. Defaults:
   *
   * <ul>
   *   <li>{@link #lanes}: 32 lanes
   *   <li>{@link #codec}: JSON by Jackson
   *   <li>{@link #headers}: none
   *   <li>{@link #retry}: {@link RetryPolicy#standard}
   *   <li>{@link #dedupe}: no window
   *   <li>{@link #publisher}: the broker's own
   * </ul>
   */
  public static final class Builder {
    private final InMemoryStore.Builder store = InMemoryStore.builder();
    private final InMemoryBroker.Builder broker = InMemoryBroker.builder();
    private PayloadCodec codec = JacksonCodec.create();
    private Supplier<Map<String, String>> headers = Map::of;
    private RetryPolicy retry = RetryPolicy.standard();
    private Function<InMemoryBroker, Publisher> publisher = InMemoryBroker::publisher;

    private Builder() {}

    /** Claims by so many lanes. Default: 32. */
    public Builder lanes(int number) {
      store.lanes(number);
      return this;
    }

    /** Claims by rows, which keeps no order and takes no keys. Default: by lanes. */
    public Builder rows() {
      store.rows();
      return this;
    }

    /** Encodes payload objects. Default: JSON by Jackson. */
    public Builder codec(PayloadCodec codec) {
      this.codec = codec;
      return this;
    }

    /** Headers on every message, asked for at every enqueue. Default: none. */
    public Builder headers(Supplier<Map<String, String>> source) {
      this.headers = source;
      return this;
    }

    /** When failed messages are tried again. Default: {@link RetryPolicy#standard}. */
    public Builder retry(RetryPolicy policy) {
      this.retry = policy;
      return this;
    }

    /**
     * The broker drops what repeats one of the last {@code ids} message ids. Default: no window.
     */
    public Builder dedupe(int ids) {
      broker.dedupe(ids);
      return this;
    }

    /** What the relay sends with, made for the kit's broker. Default: the broker's publisher. */
    public Builder publisher(Function<InMemoryBroker, Publisher> maker) {
      this.publisher = maker;
      return this;
    }

    /** A fresh kit. */
    public Kit build() {
      return new Kit(this);
    }
  }
}
