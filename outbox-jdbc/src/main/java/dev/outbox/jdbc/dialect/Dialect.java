package dev.outbox.jdbc.dialect;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All SQL of one database, one method per statement, in the order in which every dialect writes
 * them.
 *
 * <p>Stateless. A text names tables as {@code {outbox}}, {@code {lane}}, {@code {parked}}, {@code
 * {delayed}}, {@code {dead}}, {@code {meta}}, {@code {relay}}, {@code {topic}}, {@code {dedupe}},
 * {@code {receipt}}, {@code {archive}}, the clock as {@code {now}}, and its values as {@code
 * :name}. Durations are bound as microseconds. {@code {now}} becomes {@link #clock}, or {@link
 * #boundClock} in a store with a clock of its own.
 *
 * <p>Message columns are returned by their names: lane, id, message_id, topic, msg_key, headers,
 * content_type, payload, ref_table, ref_id, origin, not_after, created_at, and {@code expired} (1
 * or 0: {@code not_after} has passed). Parked ones add attempts, first_failed_at, due_at, reason,
 * last_error, history and {@code failing} (microseconds, or null).
 */
public interface Dialect {
  // identity

  /** The folder of its DDL, in lower case. */
  String name();

  /** What it supports, in words. */
  String supported();

  Match match(Product product);

  // append

  /** Binds lane, message_id, topic, msg_key, headers, content_type, payload, not_after. */
  AppendSql append();

  /** As {@link #append}, and due (an instant or null) or delay (microseconds or null). */
  AppendSql appendDelayed();

  /** Whether the connection only reads, asked without a round trip; where that costs one, false. */
  boolean isReadOnly(Connection connection) throws SQLException;

  // claim lanes

  /**
   * Locks up to {@code :limit} lanes from {@code :first} to {@code :last} that are free, expired,
   * or leased further ahead than twice {@code :lease}, in order of lane, skipping locked ones.
   * Returns lane, epoch, floor.
   */
  LockSql freeLanes();

  /**
   * Gives lane {@code :lane} to {@code :owner} for {@code :lease}, raising epoch and, after another
   * owner, takeovers.
   */
  String leaseLane();

  /** The distinct lane, topic, msg_key of parked messages with a key. */
  LaneQuery heldKeys();

  // read lanes

  /**
   * Ready messages of lanes above their {@code after}, at most their {@code limit}, in order of
   * lane and id.
   */
  LaneQuery ready();

  // fence

  /**
   * Counts a settle of {@code :lane} for {@code :owner} and {@code :epoch}, stores {@code :floor},
   * multiplies takeovers with {@code :keep}, and renews for {@code :lease} or, when {@code
   * :release} is 1, gives the lane back.
   */
  String fence();

  /** Locks {@code :lane} if it belongs to {@code :owner} and {@code :epoch}; returns its number. */
  String holdLane();

  // delivered

  ByIds deleteReady();

  ByIds deleteParked();

  // archive

  ByIds archiveReady();

  ByIds archiveParked();

  // park

  /** Copies ready messages into the parked table with reason, attempts, rest, error, history. */
  ByIds parkReady();

  /** Writes reason, attempts, rest, error, history of parked messages; the first failure stays. */
  ByIds reschedule();

  // bury

  /** Copies ready messages into the dead letters with reason, attempts, error, history. */
  ByIds buryReady();

  ByIds buryParked();

  // heads

  /** Of each key the lane, topic, msg_key and id of its first parked message. */
  KeyQuery heads();

  /** Makes parked messages without a due time due now. */
  ByIds wakeHeads();

  // due

  /**
   * Due parked messages that are the first of their key or have none, at most {@code limit} a lane,
   * by due time.
   */
  LaneQuery dueHeads();

  /** Parked messages of each key after {@code id}, at most {@code :limit} a key, in order of id. */
  KeyQuery followers();

  // delayed

  /**
   * Lane, id and due_at of delayed messages that are due, at most {@code limit} a lane, by due time
   * and id.
   */
  LaneQuery dueDelayed();

  /** Appends delayed messages to the ready table with fresh ids, in order of due time and id. */
  ByIds promote();

  ByIds deleteDelayed();

  // claim rows

  ClaimSql claimReady();

  ClaimSql claimDue();

  /** Locks up to {@code :limit} delayed messages that are due. Returns lane, id, due_at. */
  LockSql claimDelayed();

  /** Writes a ready message from memory, with its id. */
  String putReady();

  /**
   * Writes a parked message from memory, with its id; binds due (an instant) or rest, and
   * first_failed_at or null.
   */
  String putParked();

  /** Writes a dead letter from memory. */
  String putDead();

  /** Writes a delivered message from memory. */
  String putArchive();

  // dead letters

  /**
   * Dead letters above {@code :after}, at most {@code :limit}: dead_id, reason, last_error,
   * attempts, history, died_at.
   */
  String deadPage();

  /** How many there are, counting no further than {@code :bound}. */
  String deadCount();

  /**
   * Appends dead letters to the ready table with fresh ids, in order of their number ({@code id}).
   */
  ByIds replay();

  ByIds deleteDead();

  // purge

  /** Deletes at most {@code :limit} dead letters older than {@code :retention}. */
  String purgeDead();

  /** Deletes at most {@code :limit} archived messages older than {@code :retention}. */
  String purgeArchive();

  // registry

  /** Writes that {@code :relay} lives for {@code :lifetime}. */
  String beat();

  String liveRelays();

  String leave();

  /** Deletes relays that have been gone for a day. */
  String forgetRelays();

  // meta

  /** The one row: schema_version, lanes, claiming. */
  String layout();

  // limits

  LimitSql limits();

  // error codes

  FaultCodes faults();

  // clock

  /** The expression of the database's clock. */
  String clock();

  /** The expression of a clock bound as {@code :now}. */
  String boundClock();

  /** Selects {@code {now}} as {@code now}. */
  String now();

  // types

  /** The form in which a message id is bound. */
  Object bind(MessageId id);

  MessageId messageId(ResultSet row, String column) throws SQLException;

  /** The form in which an instant is bound, at microseconds. */
  Object bind(Instant instant);

  @Nullable Instant instant(ResultSet row, String column) throws SQLException;

  // identifiers

  /** The longest identifier, in characters. */
  int maxIdentifier();

  /** The longest text bound as a string, in characters; longer ones are bound as CLOBs. */
  default int longestString() {
    return Integer.MAX_VALUE;
  }
}
