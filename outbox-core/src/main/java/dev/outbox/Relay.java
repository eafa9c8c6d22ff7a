package dev.outbox;

import dev.outbox.cluster.Clusters;
import dev.outbox.internal.operate.Counts;
import dev.outbox.internal.relay.RelayEngine;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * A running relay: hands every committed message to the publisher until it is closed.
 *
 * <p>Safe for use by many threads. Start as many as you like, in as many processes as you like.
 */
public final class Relay implements AutoCloseable {
  private final String name;
  private final OutboxStore store;
  private final RelayEngine engine;

  private Relay(String name, OutboxStore store, RelayEngine engine) {
    this.name = name;
    this.store = store;
    this.engine = engine;
  }

  /** Begins a relay from these tables to this publisher; {@link Builder#start} starts it. */
  public static Builder builder(OutboxStore store, Publisher publisher) {
    return new Builder(store, publisher);
  }

  /** The relay's name, unique among all relays of the store. */
  public String name() {
    return name;
  }

  /**
   * The state of the relay, without asking the database: cheap enough for every scrape of a metrics
   * system.
   */
  public RelayStatus status() {
    return engine.status();
  }

  /** Up, degraded or down: what a health endpoint reports. */
  public RelayStatus.Health health() {
    return status().health();
  }

  /**
   * Looks at the tables: depth, ages, lanes and their owners, and all live relays. Counts no
   * further than {@code bound} in each table, so that the answer stays cheap.
   *
   * @throws IllegalArgumentException when the bound is below 1
   * @throws dev.outbox.StoreException when the database does not answer
   */
  public Snapshot snapshot(long bound) {
    return store.snapshot(Counts.atLeastOne("bound", bound));
  }

  /**
   * Takes nothing new, waits until the close deadline for messages in flight, saves their results,
   * and releases the lanes (except those with an unanswered flight, whose leases expire). Then it
   * ends the threads and closes what the relay {@link Builder#owns}. Returns when all that is done,
   * also when another thread is closing it or this one is interrupted; from the relay's own
   * threads, as in a listener, it returns at once.
   */
  @Override
  public void close() {
    engine.stop();
  }

  /**
   * Settings of a relay, each with a default.
   *
   * <ul>
   *   <li>Often set: {@link #retry}, {@link #publishDeadline}, {@link #listener}, {@link #name},
   *       {@link #closeOnShutdown}, {@link #owns}.
   *   <li>Sometimes: {@link #lease}, {@link #closeDeadline}, {@link #publishThreads}, {@link
   *       #executor} or {@link #virtualThreads}, {@link #workers}, {@link #grace}, {@link
   *       #archiveRetention}.
   *   <li>Rarely: {@link #batch}, {@link #maxInFlight}, {@link #poll}, {@link #claiming}, {@link
   *       #clusters}.
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final RelayDraft draft;

    private Builder(OutboxStore store, Publisher publisher) {
      this.draft =
          new RelayDraft(
              Objects.requireNonNull(store, "store"),
              Objects.requireNonNull(publisher, "publisher"));
    }

    /**
     * Begins the relay's name in logs, threads and tables; a random suffix makes it unique.
     * Default: {@code relay}.
     *
     * @throws IllegalArgumentException when it is empty, longer than 40 characters, or has others
     *     than letters, digits, dots, hyphens and underscores
     */
    public Builder name(String name) {
      if (!Objects.requireNonNull(name, "name").matches("[A-Za-z0-9._-]{1,40}")) {
        throw new IllegalArgumentException(
            "name is '%s', it must be 1 to 40 letters, digits, dots, hyphens or underscores"
                .formatted(name));
      }
      draft.name = name;
      return this;
    }

    /**
     * How long a lease runs and how often it is renewed. A dead relay's lanes are taken over when
     * its leases end. Relays of one store may differ in it, as during a deployment. Default: 15 s
     * and 5 s.
     */
    public Builder lease(Duration lease, Duration renewal) {
      draft.lease = Objects.requireNonNull(lease, "lease");
      draft.renewal = Objects.requireNonNull(renewal, "renewal");
      return this;
    }

    /** The most messages of a lane in one read. Default: 500. */
    public Builder batch(int messages) {
      draft.batch = messages;
      return this;
    }

    /**
     * The most messages and payload bytes in memory and in flight. Default: as many messages as 8
     * batches have, but at least 2,000, and 8 MiB. With row claims each worker may use that many
     * bytes; it sizes a claim by the payloads of the one before.
     */
    public Builder maxInFlight(int messages, long bytes) {
      draft.messages = messages;
      draft.bytes = bytes;
      return this;
    }

    /**
     * How many flights a blocking publisher works on at a time. Threads that are stuck in a
     * publisher are replaced; when that many are stuck, the relay publishes nothing more until one
     * returns. Default: 8.
     */
    public Builder publishThreads(int threads) {
      draft.publishThreads = threads;
      return this;
    }

    /**
     * Runs publishers on {@code executor} instead of threads of the relay: at most one flight of
     * each lane at a time. Several relays may share one. It is never shut down by the relay. With
     * row claims publishers run on the workers' threads. Default: threads of the relay.
     */
    public Builder executor(Executor executor) {
      draft.executor = Objects.requireNonNull(executor, "executor");
      return this;
    }

    /**
     * Runs every flight on its own virtual thread, on JDK 21 or newer.
     *
     * @throws UnsupportedOperationException when this JDK has none
     */
    public Builder virtualThreads() {
      draft.executor = RelayEngine.virtualThreads();
      return this;
    }

    /**
     * The longest time that your transactions take from enqueue to commit. Used only where the
     * database does not show open transactions: H2, Oracle without {@code gv$locked_object}, MySQL
     * and MariaDB without the PROCESS privilege. What is committed later is still published, but
     * may be found late and out of order. Default: 2 s.
     */
    public Builder grace(Duration grace) {
      draft.grace = Objects.requireNonNull(grace, "grace");
      return this;
    }

    /**
     * Where the store keeps delivered messages: deletes those that were completed longer ago than
     * {@code retention}, in batches, for at most a tenth of the time, on a thread and, for the
     * moment of a batch, their own connection. While that fails the relay delivers on and is {@link
     * RelayStatus.Health#DEGRADED}. {@link #start} refuses it where the store keeps none. Default:
     * the relay does not purge; {@link Archive#purge} does.
     *
     * @throws IllegalArgumentException when the retention is negative
     */
    public Builder archiveRetention(Duration retention) {
      draft.archiveRetention = Archive.requireRetention("archiveRetention", retention);
      return this;
    }

    /** Closes the relay when the JVM shuts down, as on SIGTERM. Default: no. */
    public Builder closeOnShutdown() {
      draft.closeOnShutdown = true;
      return this;
    }

    /**
     * Closes {@code resource} with the relay, once its flights have ended: a publisher that is
     * {@link AutoCloseable}, or the client behind one. Several are closed in reverse order; what a
     * close throws is logged. Threads that are still in the publisher at the close deadline are
     * interrupted; half a second later {@code resource} is closed under what is still being sent.
     * {@link Relay#close} waits for it without a limit, and it must not wait for a thread that
     * closes the relay. A relay that did not start closes nothing. Default: it owns nothing.
     */
    public Builder owns(AutoCloseable resource) {
      draft.owned.add(Objects.requireNonNull(resource, "resource"));
      return this;
    }

    /** How long a flight may take before its unanswered messages count as failed. Default: 30 s. */
    public Builder publishDeadline(Duration deadline) {
      draft.publishDeadline = Objects.requireNonNull(deadline, "publishDeadline");
      return this;
    }

    /** How long {@link Relay#close} waits for what is in flight. Default: 20 s. */
    public Builder closeDeadline(Duration deadline) {
      draft.closeDeadline = Objects.requireNonNull(deadline, "closeDeadline");
      return this;
    }

    /** The longest pause of an idle relay between two looks. Default: 1 s. */
    public Builder poll(Duration longest) {
      draft.poll = Objects.requireNonNull(longest, "poll");
      return this;
    }

    /** When failed messages are tried again. Default: {@link RetryPolicy#standard}. */
    public Builder retry(RetryPolicy policy) {
      draft.retry = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * When failed messages of {@code topic} are tried again. Default: as {@link
     * #retry(RetryPolicy)} says.
     *
     * @throws IllegalArgumentException when no message could have the topic
     */
    public Builder retry(String topic, RetryPolicy policy) {
      draft.retryByTopic.put(Topics.checked(topic), Objects.requireNonNull(policy, "policy"));
      return this;
    }

    /** The workers, each with a connection, where the tables are claimed by rows. Default: 2. */
    public Builder workers(int workers) {
      draft.workers = workers;
      return this;
    }

    /**
     * The way of claiming that this relay expects; tables made for the other are refused. Default:
     * as the tables say.
     */
    public Builder claiming(Claiming claiming) {
      draft.claiming = Objects.requireNonNull(claiming, "claiming");
      return this;
    }

    /**
     * The clusters that this relay works among, and how long another may be silent before its
     * messages are taken over: the same in all of them, and not shorter than a lease. {@link
     * #start} refuses tables of another cluster. Default: as the tables say, 10 minutes.
     */
    public Builder clusters(Clusters clusters) {
      draft.clusters = Objects.requireNonNull(clusters, "clusters");
      return this;
    }

    /** Is told what the relay does; several are told in turn. Default: none. */
    public Builder listener(RelayListener listener) {
      draft.listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /**
     * Starts the relay.
     *
     * @throws IllegalArgumentException when settings contradict each other, the tables, or the
     *     publisher
     * @throws OutboxException when the doctor finds that it cannot work here
     * @throws dev.outbox.StoreException when the database does not answer
     */
    public Relay start() {
      RelayDraft.Started started = draft.start();
      return new Relay(started.name(), draft.store, started.engine());
    }
  }
}
