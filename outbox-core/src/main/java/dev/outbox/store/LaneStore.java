package dev.outbox.store;

import dev.outbox.message.Lane;
import java.util.List;
import java.util.Map;

/**
 * Claims by lanes, for one relay, over a connection of its own that is opened on first use and
 * replaced after an error.
 *
 * <p>Used by one thread. Every method is a short transaction at READ COMMITTED of its own. It
 * throws {@link StoreException} when the database refuses or does not answer; then it may or may
 * not have taken effect, and the same call can be made again.
 */
public interface LaneStore extends AutoCloseable {
  /**
   * Leases up to {@code atMost} lanes that are free, expired, or leased further ahead than twice
   * the lease (a clock was set back), skipping those that another session is just claiming, and
   * raises their epochs. Loads the keys held there.
   */
  List<LaneClaim> claim(int atMost);

  /**
   * Reads ready messages of leased lanes, without locks, in one statement: of every lane those with
   * an id above its cursor's, in id order, at most its limit. Defective rows come with their
   * defect. A fenced lane is not noticed here; the settle notices.
   */
  List<Stored> read(List<Cursor> cursors);

  /**
   * Reads parked messages that are due by the database's clock: of every lane at most {@code
   * perLane}, each due head followed by those of its key, keys together and in id order within a
   * key.
   */
  List<Stored> readDue(List<Lane> lanes, int perLane);

  /**
   * Appends delayed messages that have fallen due to the ready table, with fresh ids, in order of
   * due time, at most {@code atMost}; fenced lane by lane. Returns how many.
   */
  int promoteDue(List<Lease> leases, int atMost);

  /**
   * Writes the ends of claims in one transaction, lanes in ascending order, each fenced by owner
   * and epoch: a fenced lane changes nothing and does not disturb the others. Repeating a
   * settlement whose reply was lost is harmless, and tells the freed keys again. A follower that is
   * the first parked message of its key once all is written falls due at once; a message that rests
   * for a failure of its own goes on resting.
   */
  Map<Lane, Outcome> settle(List<Settlement> settlements);

  /**
   * The registry over this session's own connection, so that saying that a relay lives never waits
   * for a pool that the application has emptied.
   */
  RelayRegistry registry();

  /**
   * Gives the connection back. Leases are not released: settle with {@link
   * Settlement.After#RELEASE} does that.
   */
  @Override
  void close();

  /** Where to go on reading in a lane: above {@code after}, at most {@code limit} messages. */
  record Cursor(Lane lane, long after, int limit) {}
}
