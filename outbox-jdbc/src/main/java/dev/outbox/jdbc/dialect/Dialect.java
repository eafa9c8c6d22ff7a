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
 * {@code {dedupe_slot}}, {@code {receipt}}, {@code {receipt_slot}}, {@code {archive}}, an index as
 * {@code {index parked_keys}}, the clock as {@code {now}}, and its values as {@code :name}.
 * Durations are bound as microseconds. {@code {now}} becomes {@link #clock}, or {@link #boundClock}
 * in a store with a clock of its own. {@code {cluster}} is the number of this cluster; {@code
 * {origin}}, {@code {mine}} and {@code {own}} are empty where there is one, and else the column, a
 * condition on the cluster that wrote a row, and one on its lane.
 *
 * <p>Message columns are returned by their names: lane, id, message_id, topic, msg_key, headers,
 * content_type, payload, ref_table, ref_id, origin, not_after, created_at, and {@code expired} (1
 * or 0: {@code not_after} has passed). Parked ones add attempts, history and {@code failing}
 * (microseconds, or null), those of claims by rows also first_failed_at, due_at, reason,
 * last_error.
 *
 * <p>{@code :held} is a set of topics as one text, each with U+0001 before and behind it.
 */
public interface Dialect {
  // identity

  /** The folder of its DDL, in lower case. */
  String name();

  /** What it supports, in words. */
  String supported();

  Match match(Product product);

  /** Whether autocommit is turned on and off without a round trip, so that a read alone is one. */
  boolean readsAlone();

  // append

  /**
   * Binds lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
   * not_after.
   */
  AppendSql append();

  /** As {@link #append}, and due (an instant or null) or delay (microseconds or null). */
  AppendSql appendDelayed();

  /** Whether the connection only reads, asked without a round trip; where that costs one, false. */
  boolean isReadOnly(Connection connection) throws SQLException;

  // claim lanes

  /**
   * Locks up to {@code :limit} lanes from {@code :first} to {@code :last} that are free, expired,
   * or leased further ahead than twice the length of their lease, in order of lane, skipping locked
   * ones. Returns lane, epoch, floor, suspect_id, suspect_count, and the takeovers that a lease
   * makes of them.
   */
  LockSql freeLanes();

  /**
   * As {@link #freeLanes}, the lanes of {@code :owner}; binds {@code :limit}. A lease makes no
   * takeover of them.
   */
  LockSql ownLanes();

  /**
   * Gives lane {@code :lane}, locked with {@code :epoch}, to {@code :owner} for {@code :lease},
   * whose length it notes, raising the epoch and writing {@code :takeovers}.
   */
  String leaseLane();

  /** Lane, topic, msg_key of parked messages with a key and of dead letters that hold theirs. */
  LaneQuery heldKeys();

  // look

  /**
   * Of each lane its number and 1 or 0 for what there is: {@code ready} above {@code after}, {@code
   * due} as {@link #dueHeads}, {@code later} for a delayed one that is due; and a row of lane -1
   * with the number of lanes that are free, as in {@link #freeLanes}, as its {@code ready}.
   */
  LaneQuery look();

  // read lanes

  /**
   * Ready messages of lanes above their {@code after}, at most their {@code limit}, in order of
   * lane and id, with the {@code bytes} of their payload and their {@code weight}: those of payload
   * and headers, which are null where they weigh more than {@code :inline}.
   */
  LaneQuery ready();

  /**
   * As {@link #ready}, but none whose topic stands in {@code :held}, and only ids up to {@code
   * :reach} above the lane's {@code after}.
   */
  LaneQuery readyPast();

  /** Lane, id, payload and headers of ready messages, named by lane, id and message_id. */
  KeyQuery readyBodies();

  /**
   * The highest id of the ready messages above {@code :above} as {@code newest}; null where there
   * is none, or where it is not quickly found.
   */
  String newest();

  // ids that may have gone back

  NextIdSql nextId();

  /**
   * The highest id at or above {@code :next}, or one below it, as {@code highest}: of the ready and
   * parked messages, the newest {@code :most} dead letters and the floors, at little cost.
   */
  String highestId();

  /** As {@link #highestId}, of the archived messages. */
  String highestArchived();

  /** Makes {@code {next}} the next id of {@code {table}} and its {@code {column}}. */
  String raiseNextId();

  // fence

  /**
   * Locks lanes that belong to {@code :owner} and their epoch, counts a settle, stores their floor,
   * forgets takeovers and suspect where keep is 0, and renews for {@code :lease} or, where free is
   * 1, gives the lane back. Where due is 0 nothing but takeovers and suspect need be written.
   */
  FenceSql fence();

  /**
   * Makes {@code :id} the suspect of {@code :lane}, or counts it once more, if the lane belongs to
   * {@code :owner} and {@code :epoch} and the message of that id is still {@code :message_id}.
   */
  String suspect();

  /** Locks {@code :lane} if it belongs to {@code :owner} and {@code :epoch}; returns its number. */
  String holdLane();

  /** Locks {@code :lane} whoever owns it; returns its number. */
  String lockLane();

  // delivered

  ByIds deleteReady();

  ByIds deleteParked();

  /** As {@link #deleteParked}, whichever cluster parked it. */
  ByIds deleteAnyParked();

  // archive

  ByIds archiveReady();

  ByIds archiveParked();

  /** Lane and id of archived messages, named by lane and id. */
  KeyQuery takenArchive();

  // park

  /**
   * Lane and id of those ready messages, named by lane, id and message_id, that stand behind a
   * parked message or a holding dead letter of their key.
   */
  KeyQuery behind();

  /**
   * Copies ready messages into the parked table with reason, attempts, rest, error, history, under
   * the id {@code parked_as} where that is told.
   */
  ByIds parkReady();

  /** Lane and id of this cluster's parked messages, named by lane and id. */
  KeyQuery takenParked();

  /** Writes reason, attempts, rest, error, history of parked messages; the first failure stays. */
  ByIds reschedule();

  // bury

  /** Copies ready messages into the dead letters with reason, attempts, error, history, holds. */
  ByIds buryReady();

  ByIds buryParked();

  // heads

  /**
   * Of each key, named by n, lane, topic and msg_key, its {@code n}, the {@code id} of its first
   * parked message and as {@code hold} that of its first holding dead letter, null without.
   */
  KeyQuery heads();

  /** Makes parked messages without a due time due now. */
  ByIds wakeHeads();

  // due

  /**
   * Due parked messages that are the first of their key or have none, and stand behind no holding
   * dead letter, of no topic in {@code :held}, at most {@code limit} a lane, by due time. Weight
   * and {@code :inline} as in {@link #ready}, the history counted too.
   */
  LaneQuery dueHeads();

  /**
   * Parked messages behind others of their key, named by lane, topic, msg_key, id and limit, up to
   * a holding dead letter, in order of id; the rest as in {@link #dueHeads}.
   */
  KeyQuery followers();

  /**
   * Lane, id, payload, headers and history of parked messages, named as in {@link #readyBodies}.
   */
  KeyQuery dueBodies();

  // release

  /**
   * Lane and id of parked messages that wait for their topic, which is none in {@code :held}, at
   * most {@code limit} a lane, in order of id.
   */
  LaneQuery releasable();

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

  /** Ready messages of no topic in {@code :held}. */
  ClaimSql claimReady();

  /** Parked messages that are due and of no topic in {@code :held}. */
  ClaimSql claimDue();

  /** Locks up to {@code :limit} of {@link #releasable}, in order of id. Returns lane, id. */
  LockSql claimReleasable();

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
   * Dead letters of {@code :msg_key}, {@code :reason} and dead for {@code :older}, where these are
   * not null: a message's columns and dead_id, reason, last_error, attempts, history, died_at,
   * holds.
   */
  DeadSql dead();

  /** As {@link #dead}, of {@code :topic}; without {@code :msg_key}. */
  DeadSql deadOfTopic();

  /** As {@link #dead}, of {@code :topic} and {@code :msg_key}. */
  DeadSql deadOfKey();

  /**
   * Dead_id, lane, id, topic, msg_key of those dead letters, named by id (their number) and
   * message_id, that hold their key.
   */
  KeyQuery holders();

  /** Appends dead letters to the ready table with fresh ids, in order of their number. */
  ByIds replay();

  /** Puts dead letters that hold their key back into the parked table, with their ids, due now. */
  ByIds replayHolders();

  ByIds deleteDead();

  // purge

  /**
   * Deletes at most {@code :limit} dead letters older than {@code :retention} that hold nothing.
   */
  String purgeDead();

  /**
   * When the last of the oldest {@code :limit} archived messages was completed, as {@code up_to},
   * of those that are older than {@code :retention} and were not completed before {@code :from};
   * null when there are none.
   */
  String oldArchive();

  /**
   * Deletes at most {@code :limit} archived messages that were completed from {@code :from} up to
   * {@code :up_to}, the oldest first.
   */
  String purgeArchive();

  // receipts

  /** Locked before receipts are written. */
  SlotSql receiptSlots();

  /** Writes receipts: consumer, message_id, and {@code :keep}, for how long. */
  OnceSql insertReceipts();

  /** Deletes at most {@code :limit} receipts that were to be kept no longer. */
  PurgeSql purgeReceipts();

  // dedupe

  /** Locked before keys are taken. */
  SlotSql dedupeSlots();

  /** Takes keys: topic, dedupe_key, message_id, and {@code :keep}, for how long. */
  OnceSql insertKeys();

  /**
   * The {@code message_id} of a key, and {@code expired}: 1 or 0, whether it was to be kept no
   * longer. Sees what is committed, whatever the caller's isolation, where {@link #dedupeSlots} are
   * locked.
   */
  String takenKey();

  /** Takes a key anew that was to be kept no longer. */
  String retakeKey();

  /** Deletes at most {@code :limit} keys that were to be kept no longer. */
  PurgeSql purgeKeys();

  // registry

  /** Writes that {@code :relay} lives for {@code :lifetime}, and whether it is {@code :sharing}. */
  String beat();

  /** Relay, sharing and started_at of live relays. */
  String liveRelays();

  String leave();

  /** Deletes relays that have been gone for a day. */
  String forgetRelays();

  // topics

  /** Topic, paused, strict, rate_limit, in_flight_cap of every topic. */
  String topics();

  /** Locks the row of {@code :topic}; returns as {@link #topics}. */
  String lockTopic();

  String insertTopic();

  String updateTopic();

  // snapshot

  /**
   * How many are ready, parked, later (delayed), dead, counting no further than {@code :bound} in
   * each.
   */
  String counts();

  /** Lane, floor and, while its lease runs, owner of every lane. */
  String laneStates();

  /**
   * Of each lane the microseconds since its first message above {@code after} was written, {@code
   * ready_age}, and since its first parked one fell due, {@code due_age}; null without.
   */
  LaneQuery ages();

  // writers

  WritersSql writers();

  // meta

  /** The one row: schema_version, lanes, claiming, clusters, cluster_id. */
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

  MessageId messageId(ResultSet row, int column) throws SQLException;

  /** The form in which an instant is bound, at microseconds. */
  Object bind(Instant instant);

  @Nullable Instant instant(ResultSet row, int column) throws SQLException;

  // limits

  /** The end of a query that returns at most {@code :limit} rows. */
  String atMost();

  /** The longest identifier, in characters. */
  int maxIdentifier();

  /** The longest text bound as a string, in characters; longer ones are bound as CLOBs. */
  default int longestString() {
    return Integer.MAX_VALUE;
  }
}
