package dev.outbox.testkit;

import dev.outbox.Claiming;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.tck.OutboxStoreContract;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.time.Duration;
import javax.sql.DataSource;

final class InMemoryStoreTest extends OutboxStoreContract {
  @Override
  protected StoreEnvironment open(StoreSetting setting) {
    SettableClock clock = SettableClock.create();
    InMemoryStore.Builder builder =
        InMemoryStore.builder().clusters(setting.clusters()).clock(clock);
    if (setting.claiming() == Claiming.ROWS) {
      builder.rows();
    } else {
      builder.lanes(setting.lanes());
    }
    if (setting.archives()) {
      builder.archive();
    }
    return new Environment(builder.build(), clock);
  }

  private record Environment(InMemoryStore memory, SettableClock clock)
      implements StoreEnvironment {
    @Override
    public OutboxStore store() {
      return memory;
    }

    @Override
    public DataSource applications() {
      return memory.dataSource();
    }

    @Override
    public void passTime(Duration step) {
      clock.advance(step);
    }

    @Override
    public AutoCloseable lock(Lane lane) {
      return memory.lock(lane);
    }

    @Override
    public boolean restartIds(long next) {
      memory.inMemoryTables().restartIds(next);
      return true;
    }

    @Override
    public void remove(long id) {
      memory.inMemoryTables().remove(id);
    }

    @Override
    public void raiseIds() {
      memory.raiseIds();
    }

    @Override
    public void setBack(Lane lane, long epoch) {
      memory.inMemoryTables().setBack(lane, epoch);
    }

    @Override
    public void close() {}
  }
}
