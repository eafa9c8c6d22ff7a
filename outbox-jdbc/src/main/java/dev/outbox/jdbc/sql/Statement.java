package dev.outbox.jdbc.sql;

import java.util.Locale;

/**
 * Something that is asked of a database. Every database has one text for it.
 *
 * <p>A text names tables as {@code {outbox}}, {@code {lane}}, {@code {parked}}, {@code {delayed}},
 * {@code {dead}}, {@code {meta}}, {@code {relay}}, {@code {topic}}, {@code {dedupe}}, {@code
 * {dedupe_slot}}, {@code {receipt}}, {@code {receipt_slot}}, {@code {archive}}, {@code {beat}},
 * {@code {takeover}}, an index as {@code {index parked_keys}}, the clock as {@code {now}}, and its
 * values as {@code :name}. Durations are bound as microseconds. {@code {now}} becomes the dialect's
 * clock, or its bound clock in a store with its own clock. {@code {cluster}} is the number of this
 * cluster; {@code {origin}}, {@code {mine}}, {@code {ours}} and {@code {own}} are empty where there
 * is one, and else the column, a condition on the cluster that wrote a row, and one on its lane,
 * before others and alone.
 *
 * <p>Message columns are returned by their names: lane, id, message_id, topic, msg_key, headers,
 * content_type, payload, ref_table, ref_id, origin, not_after, created_at, and {@code expired} (1
 * or 0: {@code not_after} has passed). Parked ones add attempts, history and {@code failing}
 * (microseconds, or null), those of claims by rows also first_failed_at, due_at, reason,
 * last_error.
 *
 * <p>{@code :held} is a set of topics as one text, each with U+0001 before and behind it.
 */
public interface Statement {
  /** In upper case, with underscores. */
  String name();

  Kind kind();

  /** The file that its texts are in, without ending. */
  String file();

  /** The set that it belongs to. */
  default Statement[] all() {
    return getClass().getEnumConstants();
  }

  /** Its name in the files: {@code deleteReady} for {@code DELETE_READY}. */
  default String textName() {
    StringBuilder text = new StringBuilder();
    for (String word : name().split("_", -1)) {
      String lower = word.toLowerCase(Locale.ROOT);
      text.append(text.isEmpty() ? lower : word.charAt(0) + lower.substring(1));
    }
    return text.toString();
  }
}
