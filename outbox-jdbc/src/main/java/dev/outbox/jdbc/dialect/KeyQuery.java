package dev.outbox.jdbc.dialect;

/** How a statement asks for rows of many keys: a closed set of two. */
public sealed interface KeyQuery {
  /** All at once: {@code :keys} is a JSON array of objects with lane, topic, msg_key and id. */
  record Together(String sql) implements KeyQuery {}

  /** Once per key: {@code :lane}, {@code :topic}, {@code :msg_key}, {@code :id}. */
  record Each(String sql) implements KeyQuery {}
}
