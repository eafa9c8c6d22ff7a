package dev.outbox.publish;

import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads the payloads of messages that were enqueued by reference.
 *
 * <p>Implementations must be safe for use by many threads. For plain tables there is one in {@code
 * outbox-jdbc}.
 */
@FunctionalInterface
public interface Resolver {
  /**
   * The payloads of those references whose row is there: all of a flight in one call, each once. A
   * reference that is left out has no row, and its messages become dead letters. What is thrown
   * answers the messages as if the publisher had thrown it, see {@link Ack#of}; one that is no
   * outage is first tried reference by reference, so that it falls on its own message only.
   *
   * @param claim the claim's transaction, when the publisher is transactional; else null. Never to
   *     be committed, rolled back or closed
   */
  Map<Reference, Payload> resolve(Set<Reference> references, @Nullable Connection claim)
      throws Exception;

  /**
   * True when references to {@code table} can be resolved. Messages of other tables are {@link
   * Ack.Unavailable}, so that a missing configuration loses nothing. Default: all tables.
   */
  default boolean knows(String table) {
    return true;
  }

  /** Knows no table: all messages by reference are {@link Ack.Unavailable}. */
  static Resolver none() {
    return NoResolver.INSTANCE;
  }

  /**
   * Leaves the loading to the publisher: it gets the envelope as it is, with its reference and
   * without a payload. For a transactional publisher that works on the row anyway.
   */
  static Resolver byPublisher() {
    return (references, claim) ->
        references.stream()
            .collect(Collectors.toMap(Function.identity(), reference -> Reference.UNRESOLVED));
  }
}
