package dev.outbox.testkit.internal.kit;

import dev.outbox.DeadLetters;
import dev.outbox.Messages.Retrying;
import dev.outbox.Topics.Setting;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.Contents;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A kit over a database. Safe for use by many threads. */
public final class StoreParts implements KitParts {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration BACKOFF = Duration.ofSeconds(5);
  private static final Duration PROBE = Duration.ofSeconds(1);
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration SAME = Duration.ofMillis(1);

  private final OutboxStore store;
  private final @Nullable DataSource dataSource;
  private final @Nullable SettableClock clock;
  private final SeenMessages seen;
  private final String relay = KitRelays.NAME + "-" + UUID.randomUUID();

  /**
   * Over {@code store}, with a data source and a clock if there are any.
   *
   * @throws IllegalArgumentException when there is a clock that is not the store's
   */
  public StoreParts(
      OutboxStore store, @Nullable DataSource dataSource, @Nullable SettableClock clock) {
    this.store = store;
    this.dataSource = dataSource;
    this.clock = clock;
    this.seen = new SeenMessages(store);
    if (clock != null) {
      requireSame(store.now(), clock.instant());
    }
  }

  private static void requireSame(Instant ofStore, Instant ofKit) {
    if (Duration.between(ofStore, ofKit).abs().compareTo(SAME) > 0) {
      throw new IllegalArgumentException(
          "the kit's clock says %s and the store's %s; make the store by JdbcStore.builder(dataSource).clock(clock) with the same"
              .formatted(ofKit, ofStore));
    }
  }

  @Override
  public OutboxStore store() {
    return store;
  }

  @Override
  public OutboxStore written() {
    return new SeenStore(store, seen);
  }

  @Override
  public Publisher sent(Publisher publisher) {
    return HeardPublisher.of(publisher, seen);
  }

  @Override
  public InstantSource time() {
    return Objects.requireNonNullElseGet(clock, InstantSource::system);
  }

  @Override
  public SettableClock clock() {
    if (clock == null) {
      throw new IllegalStateException(
          "this kit's time is the database's, which a test cannot move; give Kit.builder().clock(..) and JdbcStore.builder(..).clock(..) the same SettableClock");
    }
    return clock;
  }

  @Override
  public DataSource dataSource() {
    if (dataSource == null) {
      throw new IllegalStateException(
          "this kit does not know the data source of its store; make it by Kit.builder().over(store, dataSource), or begin the transaction yourself");
    }
    return dataSource;
  }

  @Override
  public ManualRelay.Builder relay(Publisher publisher) {
    ManualRelay.Builder builder =
        ManualRelay.builder(store, publisher).name(relay).publishDeadline(DEADLINE);
    return clock == null ? builder : builder.clock(clock);
  }

  @Override
  public Contents contents() {
    return seen.contents();
  }

  @Override
  public void empty(IntSupplier deliver) {
    Map<String, Setting> settings = store.topics().all();
    settings.forEach((topic, setting) -> set(topic, Setting.NONE.withStrict(setting.strict())));
    try {
      deliverAndDiscard(deliver);
    } finally {
      settings.forEach(this::set);
    }
    cancelDelayed();
    seen.forget();
  }

  private void cancelDelayed() {
    contents().delayed().forEach(envelope -> store.messages().cancel(envelope.id()));
  }

  private void set(String topic, Setting setting) {
    Setting unused = store.topics().change(topic, before -> setting);
  }

  /** What is left after a delivery: without an answer, just discarded, and not delivered yet. */
  private record Leftovers(int unanswered, long discarded, boolean waits) {}

  private void deliverAndDiscard(IntSupplier deliver) {
    Leftovers left = deliverOnce(deliver);
    long begun = System.nanoTime(); // the wait for answers has its own limit
    // one of a strict topic has held back its key; other programs may make more for ever
    while (System.nanoTime() - begun < BACKOFF.toNanos()
        && (left.discarded > 0 || (left.waits && pass(left.unanswered)))) {
      left = deliverOnce(deliver);
    }
    if (left.waits && clock != null) {
      throw new IllegalStateException(
          "messages are left although the clock was moved to %s: %s; let the publisher take them, or give the retry policy an end"
              .formatted(clock.instant(), contents()));
    }
    if (left.unanswered > 0) {
      throw new IllegalStateException(
          "%d messages have no answer from the publisher; let it answer, or give the kit and its store the same SettableClock, which clear() moves past their deadline"
              .formatted(left.unanswered));
    }
  }

  private Leftovers deliverOnce(IntSupplier deliver) {
    int unanswered = deliver.getAsInt();
    long discarded = DeadLetters.create(store).discard(DeadLetters.Filter.all());
    return new Leftovers(unanswered, discarded, unanswered > 0 || backsOff(contents()));
  }

  /**
   * Lets time pass; if it is the test's, past the deadline of what has no answer, and to the next
   * retry. False when interrupted, or when a deadline would have to be waited for.
   */
  private boolean pass(int unanswered) {
    if (clock == null) {
      return unanswered == 0 && pause();
    }
    cancelDelayed();
    Instant soon = clock.instant().plus(unanswered > 0 ? DEADLINE.plus(PROBE) : PROBE);
    clock.set(
        store.messages().retrying(null, 1).stream()
            .map(Retrying::nextTry)
            .filter(soon::isBefore)
            .findFirst()
            .orElse(soon));
    return true;
  }

  /** Parked by its own failure, or ready for a topic whose broker was down. */
  private static boolean backsOff(Contents contents) {
    return !contents.parked().isEmpty() || !contents.ready().isEmpty();
  }

  /** False when this thread is interrupted. */
  private static boolean pause() {
    LockSupport.parkNanos(LOOK.toNanos());
    return !Thread.currentThread().isInterrupted();
  }

  @Override
  public boolean awaitDelivered(int count, Duration timeout) throws InterruptedException {
    long begun = System.nanoTime();
    CountDownLatch never = new CountDownLatch(1);
    while (contents().delivered() < count) {
      if (System.nanoTime() - begun > timeout.toNanos()
          || never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String relayName() {
    return relay;
  }
}
