package dev.outbox.spring.boot.autoconfigure;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.spi.Usage;
import dev.outbox.spring.boot.OutboxProperties;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Properties as settings of builders; what is left out stays at the builder's default. */
final class StarterSettings {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final int RENEWALS = 3;
  private static final int WORKERS = 2;
  private static final int BATCHES = 8;
  private static final int BATCH = 500;
  private static final int LEAST_IN_FLIGHT = 2000;
  private static final DataSize BYTES_IN_FLIGHT = DataSize.ofMegabytes(8);

  private StarterSettings() {}

  static Schema.Builder of(Schema.Builder builder, OutboxProperties.Schema properties) {
    ifSet(properties.name(), builder::schema);
    ifSet(properties.tablePrefix(), builder::tablePrefix);
    ifSet(properties.lanes(), builder::lanes);
    ifSet(properties.claiming(), builder::claiming);
    if (properties.archive()) {
      builder.with(Schema.Part.ARCHIVE);
    }
    if (properties.dedupe()) {
      builder.with(Schema.Part.DEDUPE);
    }
    return builder;
  }

  static JdbcStore.Builder of(JdbcStore.Builder builder, OutboxProperties.Schema properties) {
    ifSet(properties.name(), builder::schema);
    ifSet(properties.tablePrefix(), builder::tablePrefix);
    return properties.archive() ? builder.archive() : builder;
  }

  static Outbox.Builder of(Outbox.Builder builder, OutboxProperties.Message properties) {
    ifSet(properties.maxPayload(), size -> builder.maxPayload(bytes("message.max-payload", size)));
    ifSet(properties.maxHeaders(), size -> builder.maxHeaders(bytes("message.max-headers", size)));
    ifSet(properties.dedupeRetention(), builder::dedupeRetention);
    return builder;
  }

  static Relay.Builder of(Relay.Builder builder, OutboxProperties.Relay properties) {
    ifSet(properties.name(), builder::name);
    leasing(builder, properties);
    ifSet(properties.batch(), builder::batch);
    volume(builder, properties);
    ifSet(properties.publishThreads(), builder::publishThreads);
    ifSet(properties.workers(), builder::workers);
    ifSet(properties.publishDeadline(), builder::publishDeadline);
    ifSet(properties.closeDeadline(), builder::closeDeadline);
    ifSet(properties.poll(), builder::poll);
    ifSet(properties.grace(), builder::grace);
    ifSet(properties.archiveRetention(), builder::archiveRetention);
    return builder;
  }

  static OutboxMetrics.Builder of(
      OutboxMetrics.Builder builder, OutboxProperties.Metrics properties) {
    ifSet(properties.interval(), builder::interval);
    ifSet(properties.topics(), builder::topics);
    return builder;
  }

  private static void leasing(Relay.Builder builder, OutboxProperties.Relay properties) {
    if (properties.lease() == null && properties.renewal() == null) {
      return;
    }
    Duration lease = lease(properties);
    builder.lease(lease, or(properties.renewal(), lease.dividedBy(RENEWALS)));
  }

  private static Duration lease(OutboxProperties.Relay properties) {
    return or(properties.lease(), LEASE);
  }

  /** What the relay's start will ask about, unless a customizer changes it. */
  static Usage usage(Claiming claiming, OutboxProperties.Relay properties) {
    int connections = claiming == Claiming.ROWS ? or(properties.workers(), WORKERS) + 1 : 1;
    connections += properties.archiveRetention() == null ? 0 : 1;
    return new Usage(Usage.Role.RELAY, claiming, connections, lease(properties));
  }

  private static void volume(Relay.Builder builder, OutboxProperties.Relay properties) {
    if (properties.maxInFlight() == null && properties.maxBytesInFlight() == null) {
      return;
    }
    int batches = BATCHES * or(properties.batch(), BATCH);
    builder.maxInFlight(
        or(properties.maxInFlight(), Math.max(LEAST_IN_FLIGHT, batches)),
        or(properties.maxBytesInFlight(), BYTES_IN_FLIGHT).toBytes());
  }

  private static int bytes(String name, DataSize size) {
    if (size.toBytes() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "outbox.%s is %s, the most is %dB".formatted(name, size, Integer.MAX_VALUE));
    }
    return (int) size.toBytes();
  }

  private static <T> T or(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private static <T> void ifSet(@Nullable T value, Consumer<T> setting) {
    if (value != null) {
      setting.accept(value);
    }
  }
}
