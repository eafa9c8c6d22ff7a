package dev.outbox.benchmarks.contender;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Relay;
import dev.outbox.benchmarks.contender.OutboxInstallation.Enqueuing;
import dev.outbox.benchmarks.measure.Site;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;

/** This library, claiming by rows, without keys; one worker for each relay. */
final class OutboxRows implements Contender {
  @Override
  public String name() {
    return "outbox-rows";
  }

  @Override
  public boolean runsOn(Database database) {
    return true;
  }

  @Override
  public String settings(Tuning tuning) {
    return "batch(%d).workers(1), %d relays, else the defaults"
        .formatted(tuning.batch(), tuning.relays());
  }

  @Override
  public void create(Site site) {
    try (HikariDataSource pool = site.pool(2)) {
      Schema.builder(pool).claiming(Claiming.ROWS).create();
    }
  }

  @Override
  public Installation open(Site site) {
    return new OutboxInstallation(site, OutboxRows::message, OutboxRows::relay, Enqueuing.ADAPTER);
  }

  private static Message message(long number) {
    return Message.to(RawSql.TOPIC).bytes(Payload.bytes(number));
  }

  private static Relay.Builder relay(JdbcStore store, Publisher publisher, Tuning tuning) {
    return Relay.builder(store, publisher).batch(tuning.batch()).workers(1);
  }
}
