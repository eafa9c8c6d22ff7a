package dev.outbox.testkit;

import dev.outbox.Claiming;
import dev.outbox.StoreException;
import dev.outbox.cluster.Clusters;
import dev.outbox.internal.relay.LaneWorker;
import dev.outbox.internal.relay.RelayState;
import dev.outbox.internal.relay.RowWorker;
import dev.outbox.internal.relay.Surroundings;
import dev.outbox.internal.relay.Worker;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.WakeupQueue;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.internal.ManualPurge;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A relay driven by hand: the engine of {@code Relay} without its threads. Nothing happens but what
 * a test asks for, on the test's own thread, by the test's clock.
 *
 * <p>Used by one thread.
 */
public final class ManualRelay implements AutoCloseable {
  private static final int MOST_TURNS = 100_000;

  private final Worker worker;
  private final ManualPurge manualPurge;
  private boolean ended;

  private ManualRelay(Worker worker, ManualPurge manualPurge) {
    this.worker = worker;
    this.manualPurge = manualPurge;
  }

  /** A relay with the standard settings, by the machine's clock. */
  public static ManualRelay of(OutboxStore store, Publisher publisher) {
    return builder(store, publisher).build();
  }

  public static Builder builder(OutboxStore store, Publisher publisher) {
    return new Builder(store, publisher);
  }

  /**
   * Takes turns until there is nothing to do now: everything that is committed and due has been
   * published and settled, has failed and waits, or is in flight with a publisher that has not
   * answered. What another relay owns or another session keeps locked is left. It takes no rest
   * after a slow read, as a relay on its own thread does.
   *
   * @throws IllegalStateException when there is still something to do after 100,000 turns, or it
   *     was closed or has crashed
   * @throws StoreException when the store fails; the relay has kept what it holds and can go on
   */
  public void drainNow() {
    if (ended) {
      throw new IllegalStateException(
          "this relay was closed or has crashed, and delivers nothing; make another");
    }
    worker.lookEverywhere();
    for (int turn = 0; turn < MOST_TURNS; turn++) {
      if (!turn() && !worker.endRests()) {
        manualPurge.run();
        return;
      }
    }
    throw new IllegalStateException("still busy after " + MOST_TURNS + " turns");
  }

  /**
   * Takes one turn. False when there was nothing to do.
   *
   * @throws StoreException as {@link #drainNow}
   */
  public boolean turn() {
    return guarded(worker::step);
  }

  private boolean guarded(BooleanSupplier step) {
    try {
      return step.getAsBoolean();
    } catch (StoreException e) {
      worker.afterFailure(e);
      throw e;
    }
  }

  /** How many messages its publisher has not answered. */
  int unanswered() {
    return worker.unanswered();
  }

  /**
   * Dies as a crashed process does: its connection is gone, its leases are not released, nothing is
   * settled.
   */
  public void crash() {
    if (!ended) {
      ended = true;
      worker.close();
    }
  }

  /**
   * Takes nothing new and ends what it can, as a closed relay does again and again until its
   * patience is over. False when something is left: a flight without an answer, or what the store
   * refuses to take for now. Then comes {@link #close}.
   *
   * @throws StoreException as {@link #close}
   */
  public boolean windDown() {
    return ended || guarded(worker::windDown);
  }

  /**
   * Leaves as a closed relay does whose patience is over; a flight without an answer is given up
   * and its lane left to expire.
   *
   * @throws StoreException when the store fails; the relay can be closed again, or {@link #crash}
   */
  @Override
  public void close() {
    if (!ended) {
      if (!guarded(worker::windDown)) {
        guarded(this::giveUp);
      }
      ended = true;
      worker.close();
    }
  }

  private boolean giveUp() {
    worker.giveUp();
    return true;
  }

  /**
   * Settings of a relay driven by hand.
   *
   * <ul>
   *   <li>{@link #name}: {@code manual}
   *   <li>{@link #clock}, {@link #clocks}: the machine's
   *   <li>{@link #random}: without a seed
   *   <li>{@link #lease}: 15 s, renewed every 5 s
   *   <li>{@link #maximumDelay}: 10 minutes
   *   <li>{@link #batch}: 500
   *   <li>{@link #publishDeadline}: 30 s
   *   <li>{@link #grace}: 2 s
   *   <li>{@link #retry}: {@link RetryPolicy#standard}
   *   <li>{@link #archiveRetention}: the relay does not purge
   *   <li>{@link #listener}: none
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final OutboxStore store;
    private final Publisher publisher;
    private String name = "manual";
    private Ticker ticker = Ticker.system();
    private Duration lease = Duration.ofSeconds(15);
    private Duration renewal = Duration.ofSeconds(5);
    private Duration publishDeadline = Duration.ofSeconds(30);
    private Duration grace = Duration.ofSeconds(2);
    private int batch = 500;
    private RelayState relayState = new RelayState();
    private RetryPolicy retry = RetryPolicy.standard();
    private final List<RelayListener> listeners = new ArrayList<>();
    private @Nullable Duration archiveRetention;
    private Duration maximumDelay = Clusters.ONE.maximumDelay();

    private Builder(OutboxStore store, Publisher publisher) {
      this.store = store;
      this.publisher = publisher;
    }

    /** The relay's name, unique among the relays of the store. Default: {@code manual}. */
    public Builder name(String name) {
      this.name = name;
      return this;
    }

    /** Drives the relay's own clocks; give the store the same. Default: the machine's clock. */
    public Builder clock(InstantSource clock) {
      this.ticker = Ticker.of(clock);
      return this;
    }

    /**
     * Drives the monotonic clock and the wall's apart, as when the wall's is set. Default: the
     * machine's clocks.
     */
    public Builder clocks(LongSupplier nanos, InstantSource wall) {
      this.ticker = () -> new Ticker.Moment(nanos.getAsLong(), wall.instant());
      return this;
    }

    /** Where its jitter comes from, so that a seed can repeat it. Default: without a seed. */
    public Builder random(RandomGenerator random) {
      this.relayState = new RelayState(random);
      return this;
    }

    /** How long a lease runs and how often it is renewed. Default: 15 s and 5 s. */
    public Builder lease(Duration lease, Duration renewal) {
      this.lease = lease;
      this.renewal = renewal;
      return this;
    }

    /**
     * How long another cluster may be silent before it is taken over; count and id are the store's.
     * Default: 10 minutes.
     */
    public Builder maximumDelay(Duration delay) {
      this.maximumDelay = delay;
      return this;
    }

    /** The most messages of a lane in one read. Default: 500. */
    public Builder batch(int messages) {
      this.batch = messages;
      return this;
    }

    /** How long a flight may stay unanswered. Default: 30 s. */
    public Builder publishDeadline(Duration deadline) {
      this.publishDeadline = deadline;
      return this;
    }

    /** How long an id is doubted where the store does not show open transactions. Default: 2 s. */
    public Builder grace(Duration grace) {
      this.grace = grace;
      return this;
    }

    /** When failed messages are tried again. Default: {@link RetryPolicy#standard}. */
    public Builder retry(RetryPolicy policy) {
      this.retry = policy;
      return this;
    }

    /**
     * Purges delivered messages of the archive that were completed longer ago than {@code
     * retention}, at the end of {@link ManualRelay#drainNow}. Default: it does not purge.
     */
    public Builder archiveRetention(Duration retention) {
      this.archiveRetention = retention;
      return this;
    }

    /** Is told what the relay does; several are told in turn. Default: none. */
    public Builder listener(RelayListener listener) {
      listeners.add(listener);
      return this;
    }

    /**
     * The relay, by lanes or by rows as the tables say.
     *
     * @throws IllegalArgumentException when the settings contradict each other
     */
    public ManualRelay build() {
      WakeupQueue wakeupQueue = new WakeupQueue(() -> {}, ticker);
      Surroundings surroundings =
          new Surroundings(Runnable::run, ticker, () -> {}, wakeupQueue, relayState);
      return new ManualRelay(
          store.layout().claiming() == Claiming.ROWS
              ? new RowWorker(store, publisher, settings(), surroundings)
              : new LaneWorker(store, publisher, settings(), surroundings),
          ManualPurge.of(store, name, archiveRetention, ticker));
    }

    private RelaySettings settings() {
      Duration closeDeadline = Duration.ofSeconds(20);
      Duration poll = Duration.ofSeconds(1);
      return new RelaySettings(
          name,
          new RelaySettings.Leasing(lease, renewal, maximumDelay),
          new RelaySettings.Volume(batch, Math.max(batch, 2000), 8L * 1024 * 1024, 1),
          new RelaySettings.Deadlines(publishDeadline, closeDeadline, poll, Duration.ZERO),
          new RelaySettings.Retries(retry, Map.of()),
          grace,
          new GuardedListener(name, listeners));
    }
  }
}
