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
 * What became of a list of messages: those that were written, and for each that was given its id,
 * or that of the first with its key.
 */
public record EnqueueResult(List<NewEnvelope> written, List<MessageId> ids) {

  /** Writes the messages in the transaction, and tells the observers what was written. */
  public static EnqueueResult of(
      Connection transaction,
      List<Message> messages,
      Envelopes envelopes,
      OutboxStore store,
      Duration retention) {
    List<NewEnvelope> outgoing = new ArrayList<>(messages.size());
    boolean once = false;
    for (Message message : messages) {
      outgoing.add(envelopes.of(Objects.requireNonNull(message, "message")));
      once |= message.dedupeKey() != null;
    }
    EnqueueResult result =
        once
            ? once(transaction, messages, outgoing, store, retention)
            : all(transaction, outgoing, store);
    envelopes.observers().written(result.written());
    return result;
  }

  private static EnqueueResult all(
      Connection transaction, List<NewEnvelope> outgoing, OutboxStore store) {
    if (!outgoing.isEmpty()) {
      store.append(transaction, outgoing);
    }
    return new EnqueueResult(
        outgoing, outgoing.stream().map(each -> each.envelope().id()).toList());
  }

  /**
   * Takes the keys of those that have one and writes those that are the first of theirs, both or
   * neither: a key that was taken for a message that is not there would keep it away for good.
   */
  private static EnqueueResult once(
      Connection transaction,
      List<Message> messages,
      List<NewEnvelope> outgoing,
      OutboxStore store,
      Duration retention) {
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
            EnqueueResult enqueueResult =
                sifted(messages, outgoing, store.dedupe().take(connection, firsts, retention));
            if (!enqueueResult.written().isEmpty()) {
              store.append(connection, enqueueResult.written());
            }
            return enqueueResult;
          });
    } catch (SQLException e) {
      throw StoreException.passing("enqueue once: " + e.getMessage(), e);
    }
  }

  private static EnqueueResult sifted(
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
        written.add(each);
      }
    }
    return new EnqueueResult(written, List.copyOf(ids));
  }

  private static @Nullable DedupeKey key(Message message) {
    String key = message.dedupeKey();
    return key == null ? null : new DedupeKey(message.topic(), key);
  }
}
