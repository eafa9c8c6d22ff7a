package dev.outbox.testkit;

import dev.outbox.Claiming;
import dev.outbox.spi.lane.Lane;
import dev.outbox.tck.StoreEnvironment;
import dev.outbox.tck.StoreSetting;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/** An in-memory store whose clock runs, and can be put forwards. */
final class InMemoryEnvironment implements StoreEnvironment {
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final InMemoryStore store;

  InMemoryEnvironment(StoreSetting setting) {
    InMemoryStore.Builder builder =
        InMemoryStore.builder()
            .clusters(setting.clusters())
            .clock(() -> Instant.now().plus(ahead.get()));
    builder = setting.claiming() == Claiming.ROWS ? builder.rows() : builder.lanes(setting.lanes());
    this.store = (setting.archives() ? builder.archive() : builder).build();
  }

  @Override
  public InMemoryStore store() {
    return store;
  }

  @Override
  public DataSource applications() {
    return store.dataSource();
  }

  @Override
  public void passTime(Duration step) {
    ahead.accumulateAndGet(step, Duration::plus);
  }

  @Override
  public AutoCloseable lock(Lane lane) {
    return store.lock(lane);
  }

  @Override
  public boolean restartIds(long next) {
    store.inMemoryTables().restartIds(next);
    return true;
  }

  @Override
  public void remove(long id) {
    store.inMemoryTables().remove(id);
  }

  @Override
  public void raiseIds() {
    store.raiseIds();
  }

  @Override
  public void setBack(Lane lane, long epoch) {
    store.inMemoryTables().setBack(lane, epoch);
  }

  @Override
  public void close() {}
}
