package dev.outbox.testkit.internal.tables;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One session of an in-memory store: what it has written and not yet committed.
 *
 * <p>Used by one thread at a time, as connections are.
 */
public final class InMemoryTransaction {
  final InMemoryTables inMemoryTables;
  public final Connection connection;
  private final int era;
  private final List<Write> writes = new ArrayList<>();
  private final Deque<Mark> marks = new ArrayDeque<>();
  private boolean autoCommit = true;
  private boolean readOnly;
  private boolean closed;
  private int marksMade;
  private @Nullable String writer;
  private int isolation = Connection.TRANSACTION_READ_COMMITTED;

  /** Gives back the locks of an open row claim when the transaction ends without its settle. */
  private Runnable onRollback = () -> {};

  public InMemoryTransaction(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
    this.era = inMemoryTables.era();
    this.connection = InMemoryConnection.of(this);
  }

  /** Is listed as a writer from now on, before it takes an id, until it ends. */
  public void enlist() {
    synchronized (inMemoryTables) {
      if (writer == null) {
        writer = inMemoryTables.newWriter();
      }
    }
  }

  /** What is done at the commit, or else when it is taken back. */
  private record Write(Runnable make, Runnable undo) {}

  /** Remembers {@code write} until the commit, or makes it at once in autocommit mode. */
  public void write(Runnable write) {
    write(write, () -> {});
  }

  /** As {@link #write(Runnable)}; {@code undo} is run if it is rolled back. */
  void write(Runnable make, Runnable undo) {
    writes.add(new Write(make, undo));
    if (autoCommit) {
      writeAll();
    }
  }

  public void onRollback(Runnable action) {
    onRollback = action;
  }

  /** Makes all writes and then {@code more} visible in one step. */
  public void commitWith(Runnable more) throws SQLException {
    synchronized (inMemoryTables) {
      requireTransaction("commit");
      writeAll();
      more.run();
      onRollback = () -> {};
    }
  }

  private void writeAll() {
    synchronized (inMemoryTables) {
      writes.forEach(write -> write.make().run());
      forget();
    }
  }

  private void forget() {
    writes.clear();
    marks.clear();
    if (writer != null) {
      inMemoryTables.writers.remove(writer);
      writer = null;
    }
  }

  void commit() throws SQLException {
    synchronized (inMemoryTables) {
      requireTransaction("commit");
      writeAll();
    }
  }

  void rollback() throws SQLException {
    requireTransaction("rollback");
    undo();
  }

  private void undo() {
    synchronized (inMemoryTables) {
      if (!isLost()) {
        writes.forEach(write -> write.undo().run());
        forget();
        onRollback.run();
      }
      onRollback = () -> {};
    }
  }

  /** True once the store has gone back, which ends every session. */
  boolean isLost() {
    return era != inMemoryTables.era();
  }

  void rollback(Savepoint savepoint) throws SQLException {
    Mark mark = live(savepoint);
    endAfter(mark);
    synchronized (inMemoryTables) {
      List<Write> undone = writes.subList(mark.count(), writes.size());
      undone.forEach(write -> write.undo().run());
      undone.clear();
    }
  }

  Savepoint setSavepoint() throws SQLException {
    requireTransaction("setSavepoint");
    Mark mark = new Mark(++marksMade, writes.size());
    marks.addLast(mark);
    return mark;
  }

  void release(Savepoint savepoint) throws SQLException {
    Mark mark = live(savepoint);
    endAfter(mark);
    marks.removeLast();
  }

  private Mark live(Savepoint savepoint) throws SQLException {
    requireTransaction("a savepoint");
    if (!(savepoint instanceof Mark mark) || !marks.contains(mark)) {
      throw new SQLException(
          "the savepoint was released, came after one that was rolled back to, or its transaction has ended",
          "3B001");
    }
    return mark;
  }

  private void endAfter(Mark mark) {
    while (!marks.getLast().equals(mark)) {
      marks.removeLast();
    }
  }

  public void setAutoCommit(boolean wanted) throws SQLException {
    requireOpen();
    if (wanted) {
      writeAll();
    }
    autoCommit = wanted;
  }

  boolean autoCommit() throws SQLException {
    requireOpen();
    return autoCommit;
  }

  void setReadOnly(boolean wanted) throws SQLException {
    requireOpen();
    readOnly = wanted;
  }

  boolean isReadOnly() throws SQLException {
    requireOpen();
    return readOnly;
  }

  void setIsolation(int level) throws SQLException {
    requireOpen();
    isolation = level;
  }

  int isolation() throws SQLException {
    requireOpen();
    return isolation;
  }

  boolean isClosed() {
    return closed;
  }

  public void close() {
    synchronized (inMemoryTables) {
      undo();
      closed = true;
    }
  }

  void requireOpen() throws SQLException {
    if (closed) {
      throw new SQLException("the connection is closed", "08003");
    }
    if (isLost()) {
      throw new SQLException("the connection was lost when the store went back", "08006");
    }
  }

  private void requireTransaction(String method) throws SQLException {
    requireOpen();
    if (autoCommit) {
      throw new SQLException(method + " needs setAutoCommit(false)", "25000");
    }
  }

  /** A savepoint, and how many writes stood before it. */
  private record Mark(int id, int count) implements Savepoint {
    @Override
    public int getSavepointId() {
      return id;
    }

    @Override
    public String getSavepointName() throws SQLException {
      throw new SQLException("the savepoint has no name");
    }
  }
}
