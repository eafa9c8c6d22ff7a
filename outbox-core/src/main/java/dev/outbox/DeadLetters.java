package dev.outbox;

import dev.outbox.DeadLetter.Reason;
import dev.outbox.internal.operate.BatchedPurge;
import dev.outbox.internal.operate.Counts;
import dev.outbox.internal.operate.Discard;
import dev.outbox.internal.operate.Replay;
import dev.outbox.internal.text.StorableText;
import dev.outbox.message.Key;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the dead letters, the messages that the relay has given up, and replays or discards them.
 *
 * <p>Safe for use by many threads.
 *
 * <pre>{@code
 * DeadLetters dead = DeadLetters.create(store);
 * DeadLetters.Filter some =
 *     DeadLetters.Filter.all()
 *         .topic("orders.placed")
 *         .key("42")
 *         .reason(DeadLetter.Reason.EXHAUSTED)
 *         .error("time") // in the text of its last error
 *         .olderThan(Duration.ofHours(1));
 * List<DeadLetter> first = dead.page(some, 0, 10);
 * List<DeadLetter.Summary> list = dead.summaries(some, 0, 50); // reads no payloads
 * System.out.println("at least " + dead.count(some, 10_000) + ", such as " + first);
 * long upTo = dead.replay(some, DeadLetters.ReplayPlan.dryRun()).last(); // and how many it would be
 * dead.replay(some.upTo(upTo), DeadLetters.ReplayPlan.atOnce(), soFar -> soFar.messages() < 500);
 * dead.discard(some.upTo(upTo), soFar -> soFar < 500);
 * dead.replay(some, DeadLetters.ReplayPlan.paced(50)); // at most 50 a second
 * dead.replay(some, DeadLetters.ReplayPlan.atOnce());
 * dead.discard(List.of(first.get(0).id())); // deletes
 * dead.purge(Duration.ofDays(90)); // deletes what is older
 * }</pre>
 */
public final class DeadLetters {
  /** The most that one call lists or moves. */
  public static final int MAX_PAGE = 1000;

  private final DeadStore store;
  private final Runnable wake;

  private DeadLetters(OutboxStore outbox) {
    this.store = outbox.deadLetters();
    this.wake = () -> outbox.wakeup().wake(Set.of());
  }

  public static DeadLetters create(OutboxStore store) {
    return new DeadLetters(store);
  }

  /** A page of all dead letters, as {@link #page(Filter, long, int)} of {@link Filter#all}. */
  public List<DeadLetter> page(long after, int limit) {
    return page(Filter.all(), after, limit);
  }

  /**
   * A page of the dead letters that fit, oldest first; {@code after} is the number of the last one
   * seen, 0 for the first page.
   *
   * @throws IllegalArgumentException when the limit is not 1 to {@value #MAX_PAGE}
   */
  public List<DeadLetter> page(Filter filter, long after, int limit) {
    return store.page(filter, after, Counts.ofPage("limit", limit, MAX_PAGE));
  }

  /**
   * As {@link #page(Filter, long, int)}, without headers, payloads and histories: a list of large
   * messages stays cheap.
   *
   * @throws IllegalArgumentException when the limit is not 1 to {@value #MAX_PAGE}
   */
  public List<DeadLetter.Summary> summaries(Filter filter, long after, int limit) {
    return store.summaries(filter, after, Counts.ofPage("limit", limit, MAX_PAGE));
  }

  /** How many there are, as {@link #count(Filter, long)} of {@link Filter#all}. */
  public long count(long bound) {
    return count(Filter.all(), bound);
  }

  /**
   * How many fit, counting no further than {@code bound}, so that the answer stays cheap.
   *
   * @throws IllegalArgumentException when the bound is below 1
   */
  public long count(Filter filter, long bound) {
    return store.count(filter, Counts.atLeastOne("bound", bound));
  }

  /**
   * Puts these back with their message ids, in the order of their numbers: at the end of the
   * outbox, or in front of those that wait behind it if it is of a strict topic. Returns how many
   * were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} letters
   */
  public int replay(List<DeadLetter.Id> letters) {
    return wakeFor(letters.isEmpty() ? 0 : store.replay(checked(letters)));
  }

  /**
   * Puts those back that fit and were there when the call began, in the order of their numbers and
   * each once, also when it dies again meanwhile. It works in portions of a tenth of a second, each
   * in one transaction, until all are done or its thread is interrupted; then the interrupt stays
   * set, and a portion that was under way may have been replayed without being counted. What was
   * put back stays so when the store throws.
   *
   * @throws StoreException when the database refuses; the same call goes on with what is left
   */
  public Replayed replay(Filter filter, ReplayPlan plan) {
    return replay(filter, plan, soFar -> true);
  }

  /**
   * As {@link #replay(Filter, ReplayPlan)}, but tells {@code goOn} after each portion how far it
   * has come, and stops when that answers false.
   */
  public Replayed replay(Filter filter, ReplayPlan plan, Predicate<Replayed> goOn) {
    Objects.requireNonNull(goOn, "goOn"); // it is asked when a portion is done already
    return new Replay(store, filter, plan, wake).run(goOn);
  }

  /**
   * Deletes these for good. Returns how many were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} letters
   */
  public int discard(List<DeadLetter.Id> letters) {
    return wakeFor(letters.isEmpty() ? 0 : store.discard(checked(letters)));
  }

  /** Deletes those for good that fit and were there when the call began. Returns how many. */
  public long discard(Filter filter) {
    return discard(filter, soFar -> true);
  }

  /** As {@link #discard(Filter)}, and {@code goOn} is told after each portion how many. */
  public long discard(Filter filter, LongPredicate goOn) {
    Objects.requireNonNull(goOn, "goOn");
    return new Discard(store, filter, wake).run(goOn);
  }

  /**
   * Deletes those that died longer ago than {@code retention}, in batches; never one of a strict
   * topic, which holds its key. Returns how many.
   *
   * @throws IllegalArgumentException when the retention is negative
   */
  public long purge(Duration retention) {
    Archive.requireRetention("retention", retention);
    return BatchedPurge.all(most -> store.purge(retention, most));
  }

  private int wakeFor(int moved) {
    if (moved > 0) {
      wake.run();
    }
    return moved;
  }

  private static List<DeadLetter.Id> checked(List<DeadLetter.Id> letters) {
    Counts.ofPage("letters", letters.size(), MAX_PAGE);
    return List.copyOf(letters);
  }

  /**
   * Which dead letters are meant: those that fit everything that is named; null names nothing.
   *
   * <p>Immutable. {@code olderThan} is the least time since the death, by the database's clock;
   * {@code error} is in the text of the last error, whatever the case of its letters; {@code upTo}
   * is the highest number, such as that of the last one that a dry run met.
   */
  public record Filter(
      @Nullable String topic,
      @Nullable Key key,
      @Nullable Reason reason,
      @Nullable Duration olderThan,
      @Nullable String error,
      @Nullable Long upTo) {
    private static final int LONGEST_ERROR = 1000;
    private static final Filter ALL = new Filter(null, null, null, null, null, null);

    /**
     * @throws IllegalArgumentException when no message could have the topic, the age is negative,
     *     or the error empty or longer than 1,000 characters
     */
    public Filter {
      if (topic != null) {
        Topics.checked(topic);
      }
      if (olderThan != null && olderThan.isNegative()) {
        throw new IllegalArgumentException("olderThan is " + olderThan + ", the minimum is zero");
      }
      if (error != null) {
        StorableText.check("error", error, LONGEST_ERROR);
      }
    }

    /** Every dead letter. */
    public static Filter all() {
      return ALL;
    }

    public Filter topic(String topic) {
      return new Filter(named("topic", topic), key, reason, olderThan, error, upTo);
    }

    public Filter key(String key) {
      return new Filter(topic, new Key(key), reason, olderThan, error, upTo);
    }

    public Filter reason(Reason reason) {
      return new Filter(topic, key, named("reason", reason), olderThan, error, upTo);
    }

    public Filter olderThan(Duration age) {
      return new Filter(topic, key, reason, named("olderThan", age), error, upTo);
    }

    public Filter error(String part) {
      return new Filter(topic, key, reason, olderThan, named("error", part), upTo);
    }

    public Filter upTo(long number) {
      return new Filter(topic, key, reason, olderThan, error, number);
    }

    /** A variable that is null by mistake must not mean all dead letters. */
    private static <T> T named(String criterion, T value) {
      return Objects.requireNonNull(
          value, criterion + " is null; leave " + criterion + "(..) out where any fits");
    }
  }

  /**
   * How dead letters are replayed: at what pace, or not at all but counted.
   *
   * <p>Immutable. {@code perSecond} is null for as fast as the database goes.
   */
  public record ReplayPlan(@Nullable Integer perSecond, boolean isDryRun) {
    /**
     * @throws IllegalArgumentException when the pace is below 1
     */
    public ReplayPlan {
      if (perSecond != null) {
        Counts.atLeastOne("perSecond", perSecond);
      }
    }

    /** As fast as the database goes. */
    public static ReplayPlan atOnce() {
      return new ReplayPlan(null, false);
    }

    /**
     * At most this many messages in a second, so that consumers are not overloaded.
     *
     * @throws IllegalArgumentException when the pace is below 1
     */
    public static ReplayPlan paced(int perSecond) {
      return new ReplayPlan(perSecond, false);
    }

    /** Counts what would be replayed and changes nothing. */
    public static ReplayPlan dryRun() {
      return new ReplayPlan(null, true);
    }
  }

  /**
   * How far a replay came: how many messages it put back, or would have in a dry run, and the
   * number of the last dead letter that it looked at, 0 for none.
   *
   * <p>Immutable. It is not {@code complete} when it was stopped, or its thread interrupted.
   */
  public record Replayed(long messages, long last, boolean complete, boolean isDryRun) {
    /** As {@code dry run: 50 messages would be replayed, the last dead letter is 50}. */
    @Override
    public String toString() {
      String what =
          isDryRun ? "dry run: %d messages would be replayed" : "%d messages were replayed";
      return what.formatted(messages)
          + (last == 0 ? "" : ", the last dead letter is " + last)
          + (complete ? "" : "; stopped before the end");
    }
  }
}
