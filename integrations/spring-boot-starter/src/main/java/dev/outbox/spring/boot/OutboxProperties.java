package dev.outbox.spring.boot;

import dev.outbox.Claiming;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * The settings of {@code application.yml}. What is left out has the default of the builder that it
 * belongs to. A length of time without a unit is in seconds, a retention in days.
 *
 * @param enabled whether there are an outbox and a relay at all
 * @param broker which publisher is made of Boot's clients where several could be; by default the
 *     one whose module and client are there
 * @param postgresWakeup whether a commit wakes the relays of other processes too, by LISTEN and
 *     NOTIFY; PostgreSQL only
 * @param schema the tables
 * @param message what may be enqueued
 * @param relay how messages are delivered
 * @param metrics what Micrometer is told
 * @param tracing what traces are told
 * @param console the page for operators
 * @param kafka settings of the publisher to Kafka
 * @param rabbitmq settings of the publisher to RabbitMQ
 */
@ConfigurationProperties("outbox")
public record OutboxProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Broker broker,
    @DefaultValue("false") boolean postgresWakeup,
    @DefaultValue Schema schema,
    @DefaultValue Message message,
    @DefaultValue Relay relay,
    @DefaultValue Metrics metrics,
    @DefaultValue Tracing tracing,
    @DefaultValue Console console,
    @DefaultValue Kafka kafka,
    @DefaultValue Rabbitmq rabbitmq) {

  /** A broker that a publisher can be made for. */
  public enum Broker {
    /** By {@code outbox-kafka}. */
    KAFKA,
    /** By {@code outbox-rabbitmq}. */
    RABBITMQ,
    /** None: what publishes is a bean of the application, if anything does. */
    NONE
  }

  /** What is done about the tables at the start. */
  public enum Initialize {
    /** Nothing: a migration tool makes them. */
    NEVER,
    /** They are made in a database that lives in this process, as H2 in memory. */
    EMBEDDED,
    /** They are made where they are missing. */
    ALWAYS,
    /** They are compared with what this version needs, and the start is refused if they differ. */
    VALIDATE
  }

  /**
   * The tables.
   *
   * @param initialize what is done about them at the start, after Flyway and Liquibase
   * @param name the schema that they are in; by default the connection's own
   * @param tablePrefix how their names begin; by default outbox
   * @param lanes the number of lanes of tables that are made; by default 32
   * @param claiming how relays share the work of tables that are made; by default lanes
   * @param archive whether delivered messages are kept in a table
   * @param dedupe whether tables that are made have the one for dedupe keys
   */
  public record Schema(
      @DefaultValue("embedded") Initialize initialize,
      @Nullable String name,
      @Nullable String tablePrefix,
      @Nullable Integer lanes,
      @Nullable Claiming claiming,
      @DefaultValue("false") boolean archive,
      @DefaultValue("false") boolean dedupe) {}

  /**
   * What may be enqueued.
   *
   * @param maxPayload the largest payload; by default 1MB
   * @param maxHeaders the largest sum of header names and values; by default 8KB
   * @param dedupeRetention how long a dedupe key refuses others; by default 7 days
   */
  public record Message(
      @Nullable DataSize maxPayload,
      @Nullable DataSize maxHeaders,
      @DurationUnit(ChronoUnit.DAYS) @Nullable Duration dedupeRetention) {}

  /**
   * How messages are delivered.
   *
   * @param enabled whether this process delivers; false where it only writes
   * @param name begins the relay's name in logs, threads and tables; by default relay
   * @param lease how long a dead relay keeps its lanes; by default 15s
   * @param renewal how often a lease is renewed; by default a third of it
   * @param batch the most messages of a lane in one read; by default 500
   * @param maxInFlight the most messages in memory; by default 8 batches, but at least 2000
   * @param maxBytesInFlight the most payload in memory; by default 8MB
   * @param publishThreads how many flights a blocking publisher works on at a time; by default 8;
   *     once it is set, not on virtual threads
   * @param workers how many workers, where the tables are claimed by rows; by default 2
   * @param publishDeadline how long a flight may take; by default 30s
   * @param closeDeadline how long a shutdown waits for what is in flight; by default 20s
   * @param poll the longest pause of an idle relay between two looks; by default 1s
   * @param grace how long transactions take from enqueue to commit at most, where the database does
   *     not show open transactions; by default 2s
   * @param archiveRetention how long delivered messages are kept; by default they are not deleted
   */
  public record Relay(
      @DefaultValue("true") boolean enabled,
      @Nullable String name,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration renewal,
      @Nullable Integer batch,
      @Nullable Integer maxInFlight,
      @Nullable DataSize maxBytesInFlight,
      @Nullable Integer publishThreads,
      @Nullable Integer workers,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration publishDeadline,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration closeDeadline,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration poll,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration grace,
      @DurationUnit(ChronoUnit.DAYS) @Nullable Duration archiveRetention) {}

  /**
   * What Micrometer is told, where it is there.
   *
   * @param enabled whether it is told anything
   * @param interval how long between two looks at the tables; by default 1 minute
   * @param topics the most topics that are named in metrics; by default 100
   */
  public record Metrics(
      @DefaultValue("true") boolean enabled,
      @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration interval,
      @Nullable Integer topics) {}

  /**
   * What traces are told, where Micrometer Tracing is there.
   *
   * @param enabled whether they are told anything
   */
  public record Tracing(@DefaultValue("true") boolean enabled) {}

  /**
   * The page for operators, where {@code outbox-console} is there. It is for users that the
   * application has logged in.
   *
   * @param enabled whether it is there at all
   * @param path where it is
   * @param operate whether it changes things too
   * @param showPayloads whether it shows payloads of dead letters, which may be confidential
   */
  public record Console(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("/outbox") String path,
      @DefaultValue("false") boolean operate,
      @DefaultValue("false") boolean showPayloads) {}

  /**
   * Settings of the publisher to Kafka.
   *
   * @param bootstrapServers where Kafka is; by default as spring.kafka says
   * @param properties settings of the producer by Kafka's names, over those of spring.kafka
   */
  public record Kafka(
      @Nullable List<String> bootstrapServers, @DefaultValue Map<String, String> properties) {}

  /**
   * Settings of the publisher to RabbitMQ.
   *
   * @param exchange the exchange of every message; by default the queue that has the topic's name
   */
  public record Rabbitmq(@Nullable String exchange) {}
}
