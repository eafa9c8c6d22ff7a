package dev.outbox.testkit.schedule;

import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.SettableClock;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.TestWorld;
import java.time.Duration;
import javax.sql.DataSource;

/** A world in memory. */
record MemoryWorld(InMemoryStore store, SettableClock clock) implements TestWorld {
  static TestWorld lanes(int number) {
    SettableClock clock = SettableClock.create();
    return new MemoryWorld(InMemoryStore.builder().clock(clock).lanes(number).build(), clock);
  }

  static TestWorld rows() {
    SettableClock clock = SettableClock.create();
    return new MemoryWorld(InMemoryStore.builder().clock(clock).rows().build(), clock);
  }

  @Override
  public OutboxStore store(String who, Steps steps) {
    return steps.watch(who, store);
  }

  @Override
  public DataSource applications(String who, Steps steps) {
    return store.dataSource();
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
