package dev.outbox.spi;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import dev.outbox.cluster.ClusterState;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.GivenIds;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.OpenTransactions;
import dev.outbox.spi.lane.PendingLanes;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claims by lanes, for one relay, over its own connection that is opened on first use and replaced
 * after an error.
 *
 * <p>Used by one thread. Every method is one short transaction at READ COMMITTED. It throws {@link
 * StoreException} when the database refuses or does not answer; then it may or may not have taken
 * effect, and the same call can be made again.
 */
public interface LaneStore extends AutoCloseable {
  /** What {@link #nextId} returns where the database does not show the next id. */
  long UNTOLD = Long.MAX_VALUE;

  /**
   * Leases up to {@code atMost} lanes that are free, expired, or leased further ahead than twice
   * the length of their own lease (a clock was set back), skipping those that another session is
   * just claiming, and raises their epochs. Never leases the {@code known} lanes, which the caller
   * already holds, even if their lease is over: those are renewed instead. Loads the keys held
   * there. Of several clusters it leases its own lanes only, and none while the cluster does not
   * {@link ClusterState#WORKING work}.
   *
   * <p>A floor that is not below the next id is not believed, and neither is a suspect of the same
   * claim: ids went back. A suspect that is no message any more is forgotten.
   */
  List<LaneClaim> claim(int atMost, Set<Lane> known);

  /** As {@link #claim(int, Set)}, for a caller that has none in its hands. */
  default List<LaneClaim> claim(int atMost) {
    return claim(atMost, Set.of());
  }

  /**
   * Leases again, with the next epoch, all lanes that this relay's name owns but are not among
   * {@code known}, skipping those that another session has locked: what a claim took whose answer
   * was lost. No {@link LaneClaim#takeovers takeover} is counted. A claim that the database has not
   * written yet is not seen.
   */
  List<LaneClaim> reclaim(Set<Lane> known);

  /**
   * Looks in one statement, without reading a message, at what there is to do: what an idle relay
   * asks. Ready messages count above their cursor's id; parked ones of {@code heldTopics} do not
   * count.
   */
  PendingLanes look(List<Cursor> cursors, Set<String> heldTopics);

  /**
   * Reads ready messages of leased lanes, without locks: of every lane those with an id above its
   * cursor's, in id order, at most its limit, and no more than {@code bytes} of payload in all,
   * whatever was in the table, but never nothing when there is something. What does not fit is the
   * end of a lane's messages, never one between others. Defective rows come with their defect. A
   * fenced lane is not noticed here; the settle notices.
   */
  List<StoredEnvelope> read(List<Cursor> cursors, long bytes);

  /**
   * As {@link #read}, but none of {@code heldTopics}, and of every lane only ids up to {@code
   * reach} above its cursor's: so that what is behind many messages of held topics need not wait
   * until they are moved, and one call never wades through all of them.
   */
  List<StoredEnvelope> readPast(
      List<Cursor> cursors, long bytes, Set<String> heldTopics, long reach);

  /**
   * Reads parked messages that are due by the database's clock, but none of {@code heldTopics}: of
   * every cursor's lane at most its limit, each due head followed by those of its key, keys
   * together and in id order within a key; bounded in bytes as {@link #read}.
   */
  List<StoredEnvelope> readDue(List<Cursor> cursors, long bytes, Set<String> heldTopics);

  /**
   * Makes parked messages due that were held with their topic, but none of {@code heldTopics}: of
   * every lane the first of each key and those without one, in id order, at most {@code atMost} in
   * all. Only lanes that still belong to their lease. Returns how many; none are left there when it
   * is fewer.
   */
  int release(List<Lease> leases, Set<String> heldTopics, int atMost);

  /**
   * Appends delayed messages that have fallen due to the ready table, with fresh ids, in order of
   * due time, at most {@code atMost}; fenced lane by lane. Returns how many.
   */
  int promoteDue(List<Lease> leases, int atMost);

  /**
   * Writes the ends of claims, lanes in ascending order, each fenced by owner and epoch: a fenced
   * lane changes nothing and does not disturb the others. A lane is written as a whole or not at
   * all. Repeating a settlement whose reply was lost is harmless, and returns the freed keys again.
   * A follower that is the first parked message of its key once all is written falls due at once; a
   * message that waits after its own failure goes on waiting.
   */
  Map<Lane, SettleResult> settle(List<Settlement> settlements);

  /**
   * Notes, fenced, that {@code message} is about to be in flight alone: counted once more when it
   * is the lane's suspect already, else the first time. A settlement with fates clears it. Notes
   * nothing when the message is gone, as after a failover, so that another one with its id is not
   * suspected. False when the lane is no longer ours.
   */
  boolean suspect(Lease lease, StoredEnvelope message);

  /**
   * Writes back, fenced, how often the lane's suspect has died; with no deaths it is no suspect. It
   * was noted, but its flight never took off or came back without a fate that a settlement could
   * write. Without this each try of a broker or a database that is down would be remembered as a
   * death. False when the lane is no longer ours, or when it suspects another.
   */
  boolean restoreSuspect(Lease lease, Suspect suspect);

  /**
   * The lanes of this relay's name whose own rows other sessions keep locked: asked without waiting
   * for them, after a call that has waited. None in a store that cannot tell: there, one locked row
   * delays all lanes of the relay.
   */
  default Set<Lane> locked() {
    return Set.of();
  }

  /**
   * The id of a visible message that is above {@code id}, the highest that is quickly found, in any
   * lane of this cluster; or {@code id}.
   */
  default long newest(long id) {
    return id;
  }

  /**
   * The id that the next ready message gets, by the counter that gives it, or {@link #UNTOLD}: also
   * where there are several clusters, whose ids say nothing of each other.
   */
  default long nextId() {
    return UNTOLD;
  }

  /**
   * The highest id at or above {@code next} that is known to have been given: by ready, parked and
   * archived messages, the newest dead letters and the floors.
   */
  default GivenIds given(long next) {
    return GivenIds.NONE;
  }

  /** The transactions that may still commit a message with an id taken before now. */
  OpenTransactions openTransactions();

  /**
   * True when each of {@code transactions}, which the last {@link #openTransactions} named, was
   * open to every read that returned before this call: none of these reads saw what it has
   * committed. False when one had ended, and where the store cannot tell.
   */
  default boolean wereOpen(Set<String> transactions) {
    return false;
  }

  /** What is set per topic. */
  Map<String, Setting> topics();

  /**
   * The registry over this session's own connection, so that saying that a relay lives never waits
   * for a pool that the application has emptied.
   */
  RelayRegistry registry();

  /** The other clusters, over this session's own connection. */
  ClusterStore clusters();

  /**
   * Cuts the connection, from any thread, so that a call that hangs on it ends: for a relay that
   * must be gone.
   */
  void abort();

  /**
   * Returns the connection. Leases are not released: settle with {@link Settlement.After#RELEASE}
   * does that.
   */
  @Override
  void close();

  /** Where to go on reading in a lane: above {@code after}, at most {@code limit} messages. */
  record Cursor(Lane lane, long after, int limit) {}
}
