package dev.outbox.tck.inbox;

import static java.util.concurrent.TimeUnit.MINUTES;

import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.message.MessageId;
import dev.outbox.tck.InboxEnvironment;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** What all themes of the inbox contract share. */
@Timeout(value = 3, unit = MINUTES)
public abstract class InboxCases {
  static final String MAILER = "mailer";
  static final Duration SOON = Duration.ofSeconds(20);
  static final Duration RETENTION = Duration.ofDays(10);

  private final Opener opener;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private InboxEnvironment environment;
  private Inbox inbox;

  @SuppressWarnings("NullAway.Init")
  protected InboxCases(Opener opener) {
    this.opener = opener;
  }

  @BeforeEach
  void openReceipts() throws Exception {
    environment = opener.open();
    opened.push(environment);
    inbox = inbox(RETENTION);
  }

  @AfterEach
  void closeReceipts() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  InboxEnvironment environment() {
    return environment;
  }

  Inbox inbox() {
    return inbox;
  }

  /** Another inbox on the same receipts. */
  Inbox inbox(Duration retention) {
    return Inbox.builder(environment.receipts()).retention(retention).clock(this::now).build();
  }

  /** The time of the consumers. */
  Instant now() {
    return Instant.now().plus(ahead.get());
  }

  /** Lets time pass for the receipts and for the consumers. */
  void pass(Duration step) throws Exception {
    environment.passTime(step);
    ahead.accumulateAndGet(step, Duration::plus);
  }

  /** An open transaction of a consumer, at READ COMMITTED. */
  Connection begin() throws Exception {
    Connection connection = environment.consumers().getConnection();
    opened.push(connection);
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    connection.setAutoCommit(false);
    return connection;
  }

  /** Receives the message in one transaction, and commits. */
  Answer commit(String consumer, MessageId id, Work work) throws Exception {
    try (Connection connection = environment.consumers().getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      Answer answer = inbox.once(connection, consumer, id, transaction -> work.run());
      connection.commit();
      return answer;
    }
  }

  Answer commit(MessageId id) throws Exception {
    return commit(MAILER, id, () -> {});
  }

  /** Opens empty receipts. */
  public interface Opener {
    InboxEnvironment open() throws Exception;
  }

  /** An effect. */
  interface Work {
    void run() throws Exception;
  }

  static List<MessageId> ids(int count) {
    return Stream.generate(MessageId::next).limit(count).toList();
  }
}
