package dev.outbox.jdbc.internal.message;

import dev.outbox.internal.connection.CallerSavepoint;
import dev.outbox.jdbc.internal.session.CallerCheck;
import dev.outbox.jdbc.internal.session.NamedSql;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.AppendSql;
import dev.outbox.jdbc.sql.RowStatement;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.message.Reference;
import dev.outbox.spi.settle.NewEnvelope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages in the caller's transaction, with plain JDBC: nothing is set on the connection,
 * nothing is repeated.
 *
 * <p>Safe for use by many threads.
 */
public final class Appends {
  private static final Logger log = LoggerFactory.getLogger(Appends.class);
  private static final int MOST_ROWS = 500;
  private static final int MOST_BYTES = 1 << 20;

  private static final String GRANTS = "INSERT ON {outbox} and {delayed}, SELECT ON {meta}";

  private final Sql sql;
  private final CallerCheck callerCheck;

  /** The texts for one row, by their heads: what most transactions write. */
  private final Map<String, String> single = new ConcurrentHashMap<>();

  public Appends(Sql sql, CallerCheck callerCheck) {
    this.sql = sql;
    this.callerCheck = callerCheck;
  }

  /** What one call of the database writes. */
  private record Part(AppendSql append, List<NewEnvelope> messages) {
    /** A batch is a statement for each. */
    boolean isOneStatement() {
      return append instanceof AppendSql.Tuples || messages.size() == 1;
    }
  }

  /**
   * Writes the messages in the order of the list: all of them, or none where the transaction can go
   * on after a refusal.
   */
  public void append(Connection transaction, List<NewEnvelope> messages) {
    if (messages.isEmpty()) {
      return;
    }
    try {
      callerCheck.check(transaction);
      List<Part> parts = parts(messages);
      if (parts.size() == 1 && parts.get(0).isOneStatement()) {
        insert(transaction, parts);
      } else {
        insertAllOrNone(transaction, parts);
      }
    } catch (SQLException e) {
      throw callerCheck.refusal(transaction, "enqueue", GRANTS, e);
    }
  }

  private List<Part> parts(List<NewEnvelope> messages) {
    AppendSql ready = sql.statements().append(RowStatement.APPEND);
    AppendSql later = sql.statements().append(RowStatement.APPEND_DELAYED);
    if (messages.size() == 1) { // as most are: no size is to be counted
      return List.of(new Part(messages.get(0).due() == null ? ready : later, messages));
    }
    List<Part> parts = new ArrayList<>();
    chunks(messages.stream().filter(message -> message.due() == null).toList())
        .forEach(chunk -> parts.add(new Part(ready, chunk)));
    chunks(messages.stream().filter(message -> message.due() != null).toList())
        .forEach(chunk -> parts.add(new Part(later, chunk)));
    return parts;
  }

  /** A caller that catches the refusal of a later statement could commit the earlier ones. */
  private void insertAllOrNone(Connection transaction, List<Part> parts) throws SQLException {
    try (CallerSavepoint before = savepoint(transaction)) {
      try {
        insert(transaction, parts);
      } catch (Throwable thrown) {
        undo(before, thrown);
        throw thrown;
      }
      if (before != null) {
        before.release();
      }
    }
  }

  /** None where the transaction allows none, as with XA: then its owner must end it as a whole. */
  private static @Nullable CallerSavepoint savepoint(Connection transaction) {
    try {
      return CallerSavepoint.set(transaction);
    } catch (SQLException e) {
      log.debug("the transaction takes no savepoint", e);
      return null;
    }
  }

  /** Where it cannot be undone alone, the database has ended all of the transaction. */
  private static void undo(@Nullable CallerSavepoint before, Throwable why) {
    try {
      if (before != null) {
        before.rollback();
      }
    } catch (SQLException e) {
      why.addSuppressed(e);
    }
  }

  private void insert(Connection transaction, List<Part> parts) throws SQLException {
    for (Part part : parts) {
      if (part.append() instanceof AppendSql.Tuples tuples) {
        insertTuples(transaction, tuples, part.messages());
      } else {
        insertBatch(transaction, (AppendSql.Batch) part.append(), part.messages());
      }
    }
  }

  private static int size(NewEnvelope message) {
    String headers = JsonText.headers(message.envelope().headers());
    return message.envelope().payload().bytes().length
        + (headers == null ? 0 : Utf8.length(headers));
  }

  /** The messages in order, in parts of which each fits into one statement. */
  static List<List<NewEnvelope>> chunks(List<NewEnvelope> messages) {
    List<List<NewEnvelope>> chunks = new ArrayList<>();
    List<NewEnvelope> chunk = new ArrayList<>();
    long bytes = 0;
    for (NewEnvelope message : messages) {
      int size = size(message);
      if (!chunk.isEmpty() && (chunk.size() == MOST_ROWS || bytes + size > MOST_BYTES)) {
        chunks.add(chunk);
        chunk = new ArrayList<>();
        bytes = 0;
      }
      chunk.add(message);
      bytes += size;
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk);
    }
    return chunks;
  }

  private void insertTuples(
      Connection transaction, AppendSql.Tuples tuples, List<NewEnvelope> chunk)
      throws SQLException {
    NamedSql tuple = sql.named(tuples.tuple());
    String text =
        chunk.size() == 1
            ? single.computeIfAbsent(tuples.head(), head -> text(head, tuple, 1))
            : text(tuples.head(), tuple, chunk.size());
    try (PreparedStatement insert = transaction.prepareStatement(text)) {
      int position = 1;
      for (NewEnvelope message : chunk) {
        position = set(insert, position, tuple, message);
      }
      insert.executeUpdate();
    }
  }

  private String text(String head, NamedSql tuple, int rows) {
    return IntStream.range(0, rows)
        .mapToObj(i -> tuple.text())
        .collect(Collectors.joining(",\n", sql.render(head), ""));
  }

  private void insertBatch(Connection transaction, AppendSql.Batch batch, List<NewEnvelope> chunk)
      throws SQLException {
    NamedSql row = sql.named(batch.sql());
    try (PreparedStatement insert = transaction.prepareStatement(row.text())) {
      for (NewEnvelope message : chunk) {
        set(insert, 1, row, message);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private int set(PreparedStatement insert, int first, NamedSql row, NewEnvelope message)
      throws SQLException {
    return sql.bind(insert, first, row, values(message));
  }

  private static Map<String, @Nullable Object> values(NewEnvelope message) {
    Envelope envelope = message.envelope();
    Reference reference = envelope.reference();
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("lane", message.lane().number());
    values.put("message_id", envelope.id());
    values.put("topic", envelope.topic());
    values.put("msg_key", envelope.key() == null ? null : envelope.key().value());
    values.put("headers", JsonText.headers(envelope.headers()));
    values.put("content_type", envelope.payload().contentType());
    values.put("payload", envelope.isUnresolved() ? null : envelope.payload().bytes());
    values.put("ref_table", reference == null ? null : reference.table());
    values.put("ref_id", reference == null ? null : reference.id());
    values.put("not_after", envelope.notAfter());
    values.put("due", message.due() instanceof Message.Due.At at ? at.instant() : null);
    values.put("delay", message.due() instanceof Message.Due.After after ? after.delay() : null);
    return values;
  }
}
