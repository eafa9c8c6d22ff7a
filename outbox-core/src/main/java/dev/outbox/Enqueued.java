package dev.outbox;

import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.store.DedupeKey;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Outgoing;
import dev.outbox.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What became of a list of messages: those that were written, and for each that was given its id,
 * or that of the first with its key.
 */
record Enqueued(List<Outgoing> written, List<MessageId> ids) {

  /** All were written. */
  static Enqueued all(List<Outgoing> outgoing) {
    return new Enqueued(outgoing, outgoing.stream().map(each -> each.envelope().id()).toList());
  }

  /**
   * Takes the keys of those that have one and writes those that are the first of theirs, both or
   * neither: a key that was taken for a message that is not there would keep it away for good.
   */
  static Enqueued once(
      Connection transaction,
      List<Message> messages,
      List<Outgoing> outgoing,
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
      return GivenTransaction.undoing(
          transaction,
          connection -> {
            Enqueued enqueued =
                sifted(messages, outgoing, store.dedupe().take(connection, firsts, retention));
            if (!enqueued.written().isEmpty()) {
              store.append(connection, enqueued.written());
            }
            return enqueued;
          });
    } catch (SQLException e) {
      throw StoreException.passing("enqueue once: " + e.getMessage(), e);
    }
  }

  private static Enqueued sifted(
      List<Message> messages, List<Outgoing> outgoing, Map<DedupeKey, MessageId> taken) {
    List<Outgoing> written = new ArrayList<>(outgoing.size());
    List<MessageId> ids = new ArrayList<>(outgoing.size());
    for (int i = 0; i < outgoing.size(); i++) {
      Outgoing each = outgoing.get(i);
      MessageId own = each.envelope().id();
      DedupeKey key = key(messages.get(i));
      MessageId id = key == null ? own : taken.getOrDefault(key, own);
      ids.add(id);
      if (id.equals(own)) {
        written.add(each);
      }
    }
    return new Enqueued(written, List.copyOf(ids));
  }

  private static @Nullable DedupeKey key(Message message) {
    String key = message.dedupeKey();
    return key == null ? null : new DedupeKey(message.topic(), key);
  }
}
