package dev.outbox.jdbc.failover;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.jdbc.failover.Broker.Answer;
import dev.outbox.jdbc.proof.Ledger;
import dev.outbox.jdbc.proof.Passage;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages of a few keys, each with its row in the ledger and with the answer that a broker
 * is to give.
 *
 * <p>Used by one thread, which writes with others.
 */
final class Writing {
  private static final int WRITERS = 2;
  private static final int TRIES = 500;
  private static final int SECONDS = 30;

  private final DataSource dataSource;
  private final Outbox outbox;
  private final Random random;
  private final int keys;
  private int written;

  private record Draft(@Nullable String key, int number, Answer answer) {
    Message message() {
      Message.Draft draft = Message.to(Passage.TOPIC).header(Broker.HEADER, answer.name());
      return (key == null ? draft : draft.key(key)).text(Integer.toString(number));
    }
  }

  /** With no {@code keys}, all messages are without one; with several, a few are. */
  Writing(DataSource dataSource, Outbox outbox, Random random, int keys) {
    this.dataSource = dataSource;
    this.outbox = outbox;
    this.random = random;
    this.keys = keys;
  }

  /** The number of the next message in the ledger. */
  int next() {
    return written;
  }

  /**
   * All in one transaction, with keys of one family. Returns how many of them may be in flight at a
   * time.
   */
  int together(int count, List<Answer> answers, String family) throws SQLException {
    List<Draft> drafts = drafts(count, answers, List.of(family));
    write(drafts);
    long free = drafts.stream().filter(draft -> draft.key() == null).count();
    long ofKeys = drafts.stream().map(Draft::key).filter(Objects::nonNull).distinct().count();
    return (int) (free + ofKeys);
  }

  /**
   * In small transactions of several writers, with keys of these families. One that the database
   * refuses is tried again.
   */
  void concurrently(int count, List<Answer> answers, List<String> families) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int left = count; left > 0; ) {
        List<Draft> drafts = drafts(Math.min(left, 1 + random.nextInt(5)), answers, families);
        left -= drafts.size();
        writing.add(writers.submit(() -> writeAtLast(drafts)));
      }
      for (Future<?> each : writing) {
        each.get(SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      writers.shutdownNow();
    }
  }

  private List<Draft> drafts(int count, List<Answer> answers, List<String> families) {
    List<Draft> drafts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      boolean free = keys == 0 || (keys > 1 && random.nextInt(5) == 0);
      String family = families.get(random.nextInt(families.size()));
      String key = free ? null : family + random.nextInt(keys);
      drafts.add(new Draft(key, written++, answers.get(random.nextInt(answers.size()))));
    }
    return drafts;
  }

  /** Ids that are given again may be those of rows that are there. */
  private Void writeAtLast(List<Draft> drafts) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        write(drafts);
        return null;
      } catch (SQLException | RuntimeException refused) {
        if (tries == TRIES) {
          throw refused;
        }
      }
    }
  }

  private void write(List<Draft> drafts) throws SQLException {
    Transactions.<SQLException>run(dataSource, outbox, connection -> write(connection, drafts));
  }

  private void write(Connection transaction, List<Draft> drafts) throws SQLException {
    List<MessageId> ids = outbox.enqueue(transaction, drafts.stream().map(Draft::message).toList());
    List<Passage> rows = new ArrayList<>();
    for (int place = 0; place < drafts.size(); place++) {
      Draft draft = drafts.get(place);
      String key = draft.key() == null ? "-" : draft.key();
      rows.add(new Passage(ids.get(place).toString(), Passage.TOPIC, key, draft.number()));
    }
    new Ledger(dataSource).write(transaction, rows);
  }
}
