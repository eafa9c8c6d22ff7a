package dev.outbox.testkit.crash;

import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import java.time.Duration;
import javax.sql.DataSource;

/** A world in memory. */
class InMemoryWorld implements TestWorld {
  private final SettableClock clock = SettableClock.create();
  final InMemoryStore store;

  InMemoryWorld(boolean rows) {
    InMemoryStore.Builder builder = InMemoryStore.builder().clock(clock);
    this.store = rows ? builder.rows().build() : builder.lanes(4).build();
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    return steps.watch(who, store);
  }

  @Override
  public DataSource applications(String who, Steps steps) {
    return steps.watch(who, store.dataSource());
  }

  @Override
  public void passTime(Duration step) {
    clock.advance(step);
  }

  @Override
  public Past remember() {
    return store.copy()::restore;
  }

  @Override
  public void close() {}
}
