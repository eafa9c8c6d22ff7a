package dev.outbox.jooq;

import java.util.function.Consumer;
import org.jooq.TransactionContext;
import org.jooq.TransactionListener;

/** Opens and closes the levels as jOOQ reports them. Safe for use by many threads. */
final class LevelListener implements TransactionListener {
  @Override
  public void beginEnd(TransactionContext context) {
    Level.begin(context.configuration());
  }

  @Override
  public void commitEnd(TransactionContext context) {
    tell(context, Level::committed);
  }

  @Override
  public void rollbackStart(TransactionContext context) {
    tell(context, Level::rolledBack);
  }

  private static void tell(TransactionContext context, Consumer<Level> news) {
    Level level = Level.of(context.configuration());
    if (level != null) {
      news.accept(level);
    }
  }
}
