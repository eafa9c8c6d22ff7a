package dev.outbox.internal.enqueue;

import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.settle.NewEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages to a store, in the caller's transaction.
 *
 * <p>Safe for use by many threads.
 */
public record MessageWriter(OutboxStore store, Envelopes envelopes, Duration dedupeRetention) {
  /**
   * What became of a list of messages: those that were written, and for each that was given its id,
   * or that of the first with its key.
   */
  public record Result(List<NewEnvelope> written, List<MessageId> ids) {}

  /** Writes the messages, and tells the observers what was written. */
  public Result write(Connection transaction, List<Message> messages) {
    List<NewEnvelope> outgoing = new ArrayList<>(messages.size());
    boolean once = false;
    for (Message message : messages) {
      outgoing.add(envelopes.of(Objects.requireNonNull(message, "message")));
      once |= message.dedupeKey() != null;
    }
    Result result =
        once
            ? writeOnce(transaction, messages, outgoing)
            : writeAll(transaction, messages, outgoing);
    envelopes.observers().written(result.written());
    return result;
  }

  private Result writeAll(
      Connection transaction, List<Message> messages, List<NewEnvelope> outgoing) {
    messages.forEach(Envelopes::requireInTime);
    if (!outgoing.isEmpty()) {
      store.append(transaction, outgoing);
    }
    return new Result(outgoing, outgoing.stream().map(each -> each.envelope().id()).toList());
  }

  /**
   * Takes the keys of those that have one and writes those that are the first of theirs, both or
   * neither: a key that was taken for a message that is not there would keep it away for good.
   */
  private Result writeOnce(
      Connection transaction, List<Message> messages, List<NewEnvelope> outgoing) {
    TreeMap<DedupeKey, MessageId> firsts = new TreeMap<>();
    for (int i = 0; i < messages.size(); i++) {
      DedupeKey key = key(messages.get(i));
      if (key != null) {
        firsts.putIfAbsent(key, outgoing.get(i).envelope().id());
      }
    }
    try {
      return CallerTransaction.undoing(
          transaction,
          connection -> {
            Result result =
                sifted(
                    messages, outgoing, store.dedupe().take(connection, firsts, dedupeRetention));
            if (!result.written().isEmpty()) {
              store.append(connection, result.written());
            }
            return result;
          });
    } catch (SQLException e) {
      throw StoreException.passing("enqueue once: " + e.getMessage(), e);
    }
  }

  private static Result sifted(
      List<Message> messages, List<NewEnvelope> outgoing, Map<DedupeKey, MessageId> taken) {
    List<NewEnvelope> written = new ArrayList<>(outgoing.size());
    List<MessageId> ids = new ArrayList<>(outgoing.size());
    for (int i = 0; i < outgoing.size(); i++) {
      NewEnvelope each = outgoing.get(i);
      MessageId own = each.envelope().id();
      DedupeKey key = key(messages.get(i));
      MessageId id = key == null ? own : taken.getOrDefault(key, own);
      ids.add(id);
      if (id.equals(own)) {
        Envelopes.requireInTime(messages.get(i)); // of a repeat the first counts
        written.add(each);
      }
    }
    return new Result(written, List.copyOf(ids));
  }

  private static @Nullable DedupeKey key(Message message) {
    String key = message.dedupeKey();
    return key == null ? null : new DedupeKey(message.topic(), key);
  }
}
