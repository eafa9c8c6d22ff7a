package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.benchmarks.contender.OutboxInstallation.Enqueuing;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.benchmarks.watching.Watching;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.spi.OutboxStore;
import java.util.function.Function;

/** This library, claiming by lanes, with 1,000 keys: as it comes, but for the batch. */
record OutboxLanes(
    String name, int lanes, Enqueuing enqueuing, Function<OutboxStore, Watching> watching)
    implements Contender {
  private static final int LANES = 32;

  OutboxLanes(String name, Enqueuing enqueuing) {
    this(name, LANES, enqueuing, Watching.NOTHING);
  }

  OutboxLanes(String name, int lanes) {
    this(name, lanes, Enqueuing.ADAPTER, Watching.NOTHING);
  }

  OutboxLanes(String name, Function<OutboxStore, Watching> watching) {
    this(name, LANES, Enqueuing.ADAPTER, watching);
  }

  @Override
  public boolean runsOn(Database database) {
    return enqueuing != Enqueuing.NOTIFYING || database == Database.POSTGRES;
  }

  @Override
  public String settings(Tuning tuning) {
    return "%d lanes, batch(%d), %d relays, else the defaults, enqueued through %s"
        .formatted(lanes, tuning.batch(), tuning.relays(), enqueuing);
  }

  @Override
  public void create(Site site) {
    try (HikariDataSource pool = site.pool(2)) {
      Schema.builder(pool).lanes(lanes).create();
    }
  }

  @Override
  public Installation open(Site site) {
    return new OutboxInstallation(
        site, OutboxLanes::message, OutboxLanes::relay, enqueuing, watching);
  }

  private static Message message(long number) {
    return Message.to(RawSql.TOPIC).key(Payload.key(number)).bytes(Payload.bytes(number));
  }

  private static Relay.Builder relay(JdbcStore store, Publisher publisher, Tuning tuning) {
    return Relay.builder(store, publisher).batch(tuning.batch());
  }
}
