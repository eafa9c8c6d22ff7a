package dev.outbox.jooq;

import java.util.ArrayList;
import java.util.List;
import org.jooq.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A transaction, or one nested in it, and what runs after its commit. It is in the data of the
 * configuration that jOOQ makes for it; a nested one's data begins as a copy of those around it.
 *
 * <p>Used by the transaction's thread.
 */
final class Level {
  private final @Nullable Level outer;
  private final List<Runnable> actions = new ArrayList<>();
  private boolean open = true;

  private Level(@Nullable Level outer) {
    this.outer = outer;
  }

  static void begin(Configuration configuration) {
    configuration.data(Level.class, new Level(of(configuration)));
  }

  static @Nullable Level of(Configuration configuration) {
    return (Level) configuration.data(Level.class);
  }

  boolean isOpen() {
    return open;
  }

  void add(Runnable action) {
    actions.add(action);
  }

  void committed() {
    open = false;
    if (outer == null) {
      actions.forEach(Runnable::run);
    } else {
      outer.actions.addAll(actions);
    }
  }

  void rolledBack() {
    open = false;
  }
}
