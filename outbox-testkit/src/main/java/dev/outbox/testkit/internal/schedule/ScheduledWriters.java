package dev.outbox.testkit.internal.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneHash;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.schedule.CoveredEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writers with open transactions side by side. A key is its writer's until the transaction ends, as
 * the business row that it stands for would be.
 *
 * <p>Used by one thread.
 */
final class ScheduledWriters {
  private static final Duration LATER = Duration.ofSeconds(10);
  private static final Duration SOON = Duration.ofSeconds(6);
  private static final long VERSION_AND_TIME = 0x0000_01B7_7E00_7000L;

  private final ScheduleRun scheduleRun;
  private final long seed;
  private final OutboxStore store;
  private final DataSource connections;
  private final Map<Integer, Open> open = new TreeMap<>();
  private final Map<String, Integer> keys = new HashMap<>();
  private final Map<MessageId, Decision.Write> committed = new LinkedHashMap<>();
  private int remembered;

  /** An open transaction and what it has written. */
  private record Open(
      Connection connection, List<Subject> written, Map<MessageId, Decision.Write> writes) {}

  ScheduledWriters(ScheduleRun scheduleRun, long seed) {
    Steps unwatched = new Steps(Steps.Interruption.NONE, scheduleRun.scheduleLedger());
    this.scheduleRun = scheduleRun;
    this.seed = seed;
    this.store = scheduleRun.testWorld().store("writer", unwatched);
    this.connections = scheduleRun.testWorld().applications("writer", unwatched);
  }

  void write(Decision.Write write) throws SQLException {
    String key = write.key();
    if (key != null && keys.getOrDefault(key, write.writer()) != write.writer()) {
      return; // waits for the row's lock
    }
    Open transaction = open.get(write.writer());
    if (transaction == null) {
      transaction = new Open(begin(), new ArrayList<>(), new HashMap<>());
      open.put(write.writer(), transaction);
    }
    if (key != null) {
      keys.put(key, write.writer());
    }
    Envelope envelope = envelope(write);
    Message.Due due =
        write.messageTrait() == MessageTrait.DELAYED ? new Message.Due.After(LATER) : null;
    scheduleRun.broker().expect(envelope.id(), write);
    store.append(transaction.connection(), List.of(new NewEnvelope(lane(envelope), envelope, due)));
    transaction.written().add(Subject.of(envelope));
    transaction.writes().put(envelope.id(), write);
  }

  private Connection begin() throws SQLException {
    Connection connection = connections.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private Envelope envelope(Decision.Write write) {
    SplittableRandom random = new SplittableRandom(seed + write.number());
    UUID id =
        new UUID(
            VERSION_AND_TIME | ((write.number() & 0xffffL) << 16),
            random.nextLong() >>> 2 | 0x8000_0000_0000_0000L);
    String key = write.key();
    Instant notAfter =
        write.messageTrait() == MessageTrait.EXPIRING ? store.now().plus(SOON) : null;
    return new Envelope(
        new MessageId(id),
        write.topic(),
        key == null ? null : new Key(key),
        Map.of(),
        new Payload("text/plain", ("m" + write.number()).getBytes(UTF_8)),
        notAfter);
  }

  private Lane lane(Envelope envelope) {
    Key key = envelope.key();
    int lanes = store.layout().lanes();
    return key == null ? LaneHash.spread(envelope.id(), lanes) : LaneHash.of(key, lanes);
  }

  void commit(int writer) throws SQLException {
    Open transaction = take(writer);
    if (transaction != null) {
      transaction.connection().commit();
      transaction.connection().close();
      committed.putAll(transaction.writes());
      scheduleRun
          .scheduleLedger()
          .writeAll(NoteKind.COMMITTED, name(writer), transaction.written(), null, "");
    }
  }

  void rollBack(int writer) throws SQLException {
    Open transaction = take(writer);
    if (transaction != null) {
      transaction.connection().rollback();
      transaction.connection().close();
      scheduleRun
          .scheduleLedger()
          .writeAll(NoteKind.ROLLED_BACK, name(writer), transaction.written(), null, "");
      scheduleRun.scheduleLedger().count(CoveredEvent.ROLL_BACK);
    }
  }

  private @Nullable Open take(int writer) {
    keys.values().removeIf(owner -> owner == writer);
    return open.remove(writer);
  }

  private static String name(int writer) {
    return "writer-" + writer;
  }

  /**
   * Messages that {@code messages} still finds where they wait, though nothing is wrong with them
   * nor with any of their key.
   */
  List<String> starved(MessageStore messages) {
    if (committed.values().stream()
        .anyMatch(write -> write.messageTrait() == MessageTrait.DEADLY)) {
      return List.of(); // relays die faster than they can work
    }
    Set<List<Object>> sick =
        committed.values().stream()
            .filter(write -> write.messageTrait() == MessageTrait.SICK)
            .map(ScheduledWriters::queue)
            .collect(Collectors.toSet());
    return committed.entrySet().stream()
        .filter(each -> !sick.contains(queue(each.getValue())))
        .filter(each -> !messages.waiting(each.getKey()).isEmpty())
        .map(each -> "m%d is starved".formatted(each.getValue().number()))
        .toList();
  }

  private static List<Object> queue(Decision.Write write) {
    return List.of(write.topic(), write.key() == null ? write.number() : write.key());
  }

  /** The store may go back to its present state. */
  void remember() {
    remembered = committed.size();
  }

  /** The store goes back: what is open is lost, and what was committed since never happened. */
  void lose() throws SQLException {
    for (int writer : List.copyOf(open.keySet())) {
      rollBack(writer);
    }
    List<MessageId> lost = committed.keySet().stream().skip(remembered).toList();
    lost.forEach(committed::remove);
  }

  /** All of them commit. */
  void end() throws SQLException {
    for (int writer : List.copyOf(open.keySet())) {
      commit(writer);
    }
  }
}
