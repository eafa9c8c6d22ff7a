package dev.outbox.testkit.contract;

import dev.outbox.message.Lane;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.DeadStore;
import dev.outbox.store.DedupeStore;
import dev.outbox.store.Finding;
import dev.outbox.store.GivenIds;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Layout;
import dev.outbox.store.Lease;
import dev.outbox.store.Need;
import dev.outbox.store.News;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Outcome;
import dev.outbox.store.Outgoing;
import dev.outbox.store.Purged;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.RowStore;
import dev.outbox.store.Settlement;
import dev.outbox.store.Snapshot;
import dev.outbox.store.StoreException;
import dev.outbox.store.Stored;
import dev.outbox.store.TopicSetting;
import dev.outbox.store.TopicStore;
import dev.outbox.store.Wakeup;
import dev.outbox.store.Writers;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A store whose calls fail as they are told, before or after their effect, and which knows how many
 * sessions are open.
 *
 * <p>Safe for use by many threads.
 */
final class FaultyStore implements OutboxStore {
  private final OutboxStore store;
  private final ConcurrentLinkedQueue<Fault> settleFaults = new ConcurrentLinkedQueue<>();
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private volatile Function<Call, Fault> plan = call -> Fault.NONE;

  FaultyStore(OutboxStore store) {
    this.store = store;
  }

  /** What a relay asks of a store. */
  enum Call {
    CLAIM,
    LOOK,
    READ,
    RELEASE,
    SUSPECT,
    PROMOTE,
    SETTLE
  }

  /** How a call fails. */
  enum Fault {
    NONE,
    /** Nothing happens. */
    BEFORE,
    /** It happens, and the answer is lost. */
    AFTER
  }

  /** The next settles fail so, one after the other. */
  void failSettles(Fault... faults) {
    settleFaults.addAll(List.of(faults));
  }

  /** Asked for a fault at every call, from any thread. */
  void plan(Function<Call, Fault> faults) {
    this.plan = faults;
  }

  /** How many sessions are open. */
  int sessions() {
    return sessions.get();
  }

  /** Waits until ready messages have been looked for so often. */
  void awaitReads(int times) throws InterruptedException {
    synchronized (reads) {
      while (reads.get() < times) {
        reads.wait();
      }
    }
  }

  /** How often it has been read. */
  int reads() {
    return reads.get();
  }

  void countRead() {
    synchronized (reads) {
      reads.incrementAndGet();
      reads.notifyAll();
    }
  }

  <T> T faulty(Call call, Supplier<T> effect) {
    Fault scripted = call == Call.SETTLE ? settleFaults.poll() : null;
    Fault fault = scripted == null ? plan.apply(call) : scripted;
    if (fault == Fault.BEFORE) {
      throw StoreException.passing("fault before " + call, null);
    }
    T answer = effect.get();
    if (fault == Fault.AFTER) {
      throw StoreException.passing("fault after " + call, null);
    }
    return answer;
  }

  @Override
  public Layout layout() {
    return store.layout();
  }

  @Override
  public void append(Connection transaction, List<Outgoing> messages) {
    store.append(transaction, messages);
  }

  @Override
  public DedupeStore dedupe() {
    return store.dedupe();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    sessions.incrementAndGet();
    return new Lanes(store.lanes(owner, lease));
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    sessions.incrementAndGet();
    return new FaultyRows(this, store.rows(longestClaim));
  }

  @Override
  public RelayRegistry registry() {
    return store.registry();
  }

  @Override
  public ClusterStore clusters() {
    return store.clusters();
  }

  @Override
  public DeadStore deadLetters() {
    return store.deadLetters();
  }

  @Override
  public TopicStore topics() {
    return store.topics();
  }

  @Override
  public Snapshot snapshot(long bound) {
    return store.snapshot(bound);
  }

  @Override
  public boolean archives() {
    return store.archives();
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return store.purgeArchive(retention, from, atMost);
  }

  @Override
  public Wakeup wakeup() {
    return store.wakeup();
  }

  @Override
  public List<Finding> examine(Need need) {
    return store.examine(need);
  }

  void sessionClosed() {
    sessions.decrementAndGet();
  }

  private final class Lanes implements LaneStore {
    private final LaneStore lanes;

    Lanes(LaneStore lanes) {
      this.lanes = lanes;
    }

    @Override
    public List<LaneClaim> claim(int atMost, Set<Lane> known) {
      return faulty(Call.CLAIM, () -> lanes.claim(atMost, known));
    }

    @Override
    public List<LaneClaim> reclaim(Set<Lane> known) {
      return faulty(Call.CLAIM, () -> lanes.reclaim(known));
    }

    @Override
    public News look(List<Cursor> cursors, Set<String> heldTopics) {
      News news = faulty(Call.LOOK, () -> lanes.look(cursors, heldTopics));
      countRead();
      return news;
    }

    @Override
    public List<Stored> read(List<Cursor> cursors, long bytes) {
      List<Stored> read = faulty(Call.READ, () -> lanes.read(cursors, bytes));
      countRead();
      return read;
    }

    @Override
    public List<Stored> readPast(
        List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach) {
      List<Stored> read =
          faulty(Call.READ, () -> lanes.readPast(cursors, bytes, heldTopics, reach));
      countRead();
      return read;
    }

    @Override
    public List<Stored> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics) {
      return faulty(Call.READ, () -> lanes.readDue(cursors, bytes, heldTopics));
    }

    @Override
    public int release(List<Lease> asked, Set<String> heldTopics, int atMost) {
      return faulty(Call.RELEASE, () -> lanes.release(asked, heldTopics, atMost));
    }

    @Override
    public boolean suspect(Lease lease, Stored message) {
      return faulty(Call.SUSPECT, () -> lanes.suspect(lease, message));
    }

    @Override
    public long newest(long id) {
      return lanes.newest(id);
    }

    @Override
    public long nextId() {
      return lanes.nextId();
    }

    @Override
    public GivenIds given(long next) {
      return lanes.given(next);
    }

    @Override
    public Writers writers() {
      return lanes.writers();
    }

    @Override
    public Map<String, TopicSetting> topics() {
      return lanes.topics();
    }

    @Override
    public void abort() {
      lanes.abort();
    }

    @Override
    public int promoteDue(List<Lease> leases, int atMost) {
      return faulty(Call.PROMOTE, () -> lanes.promoteDue(leases, atMost));
    }

    @Override
    public RelayRegistry registry() {
      return lanes.registry();
    }

    @Override
    public ClusterStore clusters() {
      return lanes.clusters();
    }

    @Override
    public Map<Lane, Outcome> settle(List<Settlement> settlements) {
      return faulty(Call.SETTLE, () -> lanes.settle(settlements));
    }

    @Override
    public void close() {
      sessionClosed();
      lanes.close();
    }
  }
}
