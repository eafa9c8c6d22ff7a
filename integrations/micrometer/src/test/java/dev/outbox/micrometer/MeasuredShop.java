package dev.outbox.micrometer;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;

/** What docs/metrics.md shows. */
record MeasuredShop(Outbox outbox, Relay relay) {
  static MeasuredShop start(DataSource pool, Publisher publisher, MeterRegistry registry) {
    TimedDataSource timed = TimedDataSource.of(pool);
    timed.bindTo(registry);
    JdbcStore store = JdbcStore.create(timed);

    OutboxMetrics metrics = OutboxMetrics.create(store);
    metrics.bindTo(registry);

    Outbox outbox = Outbox.builder(store).observer(metrics).build();
    Relay relay =
        Relay.builder(store, publisher.observed(metrics))
            .listener(metrics)
            .owns(metrics) // closed with the relay
            .start();
    metrics.watch(relay);
    return new MeasuredShop(outbox, relay);
  }
}
