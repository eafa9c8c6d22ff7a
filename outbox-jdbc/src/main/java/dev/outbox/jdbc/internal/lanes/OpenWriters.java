package dev.outbox.jdbc.internal.lanes;

import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.WritersSql;
import dev.outbox.spi.lane.OpenTransactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks who may still commit a ready message; where the privilege for it is missing, once.
 *
 * <p>Used by one thread.
 */
/*
 * InnoDB answers from a copy of its transactions, and keeps the copy for as long as it is read every 0.1 s: several
 * relays that ask at their own pace could be told the same for minutes, without the writers of these minutes. So every
 * question has a number, and the copy is of now only when it shows us asking this very question. When it does not, the
 * answer is still right for ids taken before our last copy of now: that is the lag that is reported. And we are silent
 * for a while, longer each time, so that one of all who ask finds the silence in which the copy is made again.
 *
 * PostgreSQL shows a commit before it gives up its locks. So that a writer was open to a read is told by its number: if
 * that runs in a later snapshot, it ran in the read's.
 */
final class OpenWriters {
  private static final Set<Fault> REFUSALS = EnumSet.of(Fault.DENIED, Fault.MISSING, Fault.REFUSED);

  private static final long COPY_MILLIS = 120;
  private static final long LONGEST_SILENCE_MILLIS = 2000;

  private final Sql sql;
  private @Nullable OpenTransactions forGood;
  private Set<String> open = Set.of();
  private Map<String, Set<String>> numbers = Map.of();
  private final TransactionListAge copy = new TransactionListAge(System.nanoTime());
  private long silentUntil = System.nanoTime();
  private long silenceMillis;
  private long question = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE / 2);

  OpenWriters(Sql sql) {
    this.sql = sql;
    this.forGood =
        sql.statements().writers() instanceof WritersSql.Untold
            ? new OpenTransactions.Unknown()
            : null;
  }

  /** The answer where it is known without asking, else null. */
  @Nullable OpenTransactions known() {
    if (forGood != null) {
      return forGood;
    }
    long now = System.nanoTime();
    return now - silentUntil < 0 && sql.statements().writers() instanceof WritersSql.Copied copied
        ? aged(copied, now)
        : null;
  }

  OpenTransactions ask(Connection connection) {
    try {
      if (sql.statements().writers() instanceof WritersSql.Copied copied) {
        return askCopy(connection, copied);
      }
      if (sql.statements().writers() instanceof WritersSql.Numbered numbered) {
        return askNumbers(connection, numbered);
      }
      WritersSql.Told told = (WritersSql.Told) sql.statements().writers();
      List<String> names =
          sql.query(connection, told.sql(), Map.of(), row -> row.getString("name"));
      return new OpenTransactions.Known(new HashSet<>(names), told.lag());
    } catch (RuntimeException e) {
      if (!isRefused(e)) {
        throw e;
      }
      forGood = new OpenTransactions.Unknown();
      return forGood;
    }
  }

  private OpenTransactions askNumbers(Connection connection, WritersSql.Numbered numbered) {
    Map<String, Set<String>> found = new HashMap<>();
    sql.query(
        connection,
        numbered.sql(),
        Map.of(),
        row -> {
          Set<String> its = found.computeIfAbsent(row.getString("name"), name -> new HashSet<>());
          String number = row.getString("number");
          return number != null && its.add(number);
        });
    numbers = found;
    return new OpenTransactions.Known(found.keySet(), Duration.ZERO);
  }

  /** True when the database tells by numbers, and each transaction had one at the last answer. */
  boolean canTell(Set<String> transactions) {
    return sql.statements().writers() instanceof WritersSql.Numbered
        && transactions.stream().noneMatch(name -> numbersOf(name).isEmpty());
  }

  /** True when none of the {@code transactions} had ended for a read that came before. */
  boolean wereOpen(Connection connection, Set<String> transactions) {
    WritersSql.Numbered numbered = (WritersSql.Numbered) sql.statements().writers();
    Set<String> running =
        new HashSet<>(
            sql.query(connection, numbered.running(), Map.of(), row -> row.getString("number")));
    return transactions.stream().noneMatch(name -> Collections.disjoint(numbersOf(name), running));
  }

  private Set<String> numbersOf(String name) {
    return numbers.getOrDefault(name, Set.of());
  }

  // Oracle says of a view without a grant that it does not exist
  private boolean isRefused(RuntimeException e) {
    Faults faults = Faults.behind(e, sql.dialect());
    return faults != null && REFUSALS.contains(faults.fault());
  }

  private OpenTransactions askCopy(Connection connection, WritersSql.Copied copied) {
    sql.query(connection, copied.begin(), Map.of(), row -> row.getInt(1));
    readCopy(connection, copied);
    return aged(copied, System.nanoTime());
  }

  private OpenTransactions aged(WritersSql.Copied copied, long now) {
    Duration age = copy.at(now);
    return age == null
        ? new OpenTransactions.Unknown()
        : new OpenTransactions.Known(open, copied.lag().plus(age));
  }

  private record Transaction(String name, @Nullable String own) {}

  /** Notes how old the copy is: of now, if it was made for this question. */
  private void readCopy(Connection connection, WritersSql.Copied copied) {
    String number = "outbox " + ++question;
    long before = System.nanoTime();
    List<Transaction> transactions =
        sql.queryOnce(
            connection,
            number,
            copied.sql(),
            row -> new Transaction(row.getString("name"), row.getString("own")));
    open = new HashSet<>();
    transactions.stream().filter(each -> each.own() == null).forEach(each -> open.add(each.name()));
    boolean isFresh =
        transactions.stream().anyMatch(each -> each.own() != null && each.own().contains(number));
    if (isFresh) {
      copy.madeAt(before);
      silenceMillis = 0;
    } else {
      copy.askedInVain();
      silence();
    }
  }

  private void silence() {
    silenceMillis = Math.min(LONGEST_SILENCE_MILLIS, Math.max(COPY_MILLIS, 2 * silenceMillis));
    long millis = silenceMillis + ThreadLocalRandom.current().nextLong(silenceMillis / 2);
    silentUntil = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
