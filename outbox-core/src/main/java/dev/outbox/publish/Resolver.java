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
 *
 * <pre>{@code
 * Resolver resolver =
 *     (references, transaction) ->
 *         references.stream()
 *             .collect(Collectors.toMap(each -> each, each -> files.read(each.table(), each.id())));
 * Publisher loading = publisher.resolving(resolver);
 * Publisher byItself = publisher.resolving(Resolver.byPublisher()); // it loads them itself
 * Publisher waiting = publisher.resolving(Resolver.none()); // messages by reference wait
 * Resolver images =
 *     new Resolver() {
 *       public Map<Reference, Payload> resolve(Set<Reference> references, Connection transaction) {
 *         return Map.of();
 *       }
 *
 *       public boolean knows(String table) {
 *         return table.equals("images"); // messages of other tables wait
 *       }
 *
 *       public Ack failure(Throwable thrown) {
 *         return Ack.unavailable(thrown);
 *       }
 *     };
 * }</pre>
 */
@FunctionalInterface
public interface Resolver {
  /**
   * The payloads of those references whose row is there: all of a flight in one call, each once. A
   * reference that is left out has no row, and its messages become dead letters. What is thrown
   * answers the messages as {@link #failure} says; what is not {@link Ack.Unavailable} is first
   * tried reference by reference, until the time of the flight is over, so that it falls on its own
   * message only. {@link Reference#UNRESOLVED} for a payload leaves that one to the publisher.
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

  /**
   * What it means that {@link #resolve} threw this. Default: {@link Ack#of}, and what JDBC calls
   * transient, as a time-out of a statement or of a lock, is {@link Ack.Unavailable} too: it is no
   * fault of a message.
   */
  default Ack failure(Throwable thrown) {
    return Outages.isTransient(thrown) ? Ack.unavailable(thrown) : Ack.of(thrown);
  }

  /**
   * Knows no table: all messages by reference are {@link Ack.Unavailable}, unless the publisher
   * loads them itself.
   */
  static Resolver none() {
    return new Resolver() {
      @Override
      public Map<Reference, Payload> resolve(
          Set<Reference> references, @Nullable Connection claim) {
        return Map.of();
      }

      @Override
      public boolean knows(String table) {
        return false;
      }
    };
  }

  /**
   * Leaves the loading to the publisher: it gets the envelope as it is, with its reference and
   * without a payload. It is meant for a transactional publisher that works on the row anyway.
   * Wrapped around a route or a resolving publisher, it applies only to references that no inner
   * publisher resolves.
   */
  static Resolver byPublisher() {
    return (references, claim) ->
        references.stream()
            .collect(Collectors.toMap(Function.identity(), reference -> Reference.UNRESOLVED));
  }
}
