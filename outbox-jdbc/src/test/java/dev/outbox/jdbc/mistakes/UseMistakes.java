package dev.outbox.jdbc.mistakes;

import static dev.outbox.jdbc.mistakes.Making.MESSAGE;
import static dev.outbox.jdbc.mistakes.Making.PUBLISHER;
import static dev.outbox.jdbc.mistakes.Making.enqueue;
import static dev.outbox.jdbc.mistakes.Making.published;
import static dev.outbox.jdbc.mistakes.Making.run;
import static dev.outbox.jdbc.mistakes.Making.store;
import static dev.outbox.jdbc.mistakes.Making.thrown;
import static dev.outbox.jdbc.mistakes.Making.transaction;
import static dev.outbox.jdbc.mistakes.Mistake.on;
import static dev.outbox.servers.Database.H2;
import static dev.outbox.servers.Database.POSTGRES;

import dev.outbox.Archive;
import dev.outbox.Claiming;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.ReplayPlan;
import dev.outbox.Inbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.Topics;
import dev.outbox.Transactions;
import dev.outbox.cluster.Clusters;
import dev.outbox.cluster.Handover;
import dev.outbox.jdbc.JdbcInbox;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.JdbiTransactions;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TableResolver;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Jdbi;

/** What is not right with a setting, a publisher, a consumer or an operator's call. */
final class UseMistakes {
  private static final Duration DAY = Duration.ofDays(1);

  private UseMistakes() {}

  static List<Mistake> settings() {
    return List.of(
        on(H2, "No lanes", s -> thrown(() -> Schema.builder(s.dataSource()).lanes(0).create())),
        on(H2, "A relay name with a space", s -> started(s, relay -> relay.name("my relay"))),
        on(
            H2,
            "A lease of two renewals",
            s -> started(s, relay -> relay.lease(Duration.ofSeconds(10), Duration.ofSeconds(5)))),
        on(
            H2,
            "A poll longer than the renewal",
            s -> started(s, r -> r.poll(Duration.ofSeconds(9)))),
        on(
            H2,
            "A batch above what may be in flight",
            s -> started(s, r -> r.batch(500).maxInFlight(100, 1024))),
        on(
            H2,
            "A publish deadline of zero",
            s -> started(s, r -> r.publishDeadline(Duration.ZERO))),
        on(H2, "No workers", s -> started(s, r -> r.workers(0))),
        on(H2, "Another way of claiming", s -> started(s, r -> r.claiming(Claiming.ROWS))),
        on(H2, "An archive without its table", UseMistakes::noArchiveTable),
        on(H2, "A retention without an archive", s -> started(s, r -> r.archiveRetention(DAY))),
        on(
            H2,
            "Another cluster than that of the tables",
            s -> started(s, r -> r.clusters(Clusters.of(2, 1)))),
        on(H2, "A cluster number out of range", s -> thrown(() -> Clusters.of(2, 2))),
        on(
            H2,
            "A hand-over with one cluster",
            s -> {
              JdbcStore store = store(s);
              return thrown(() -> Handover.create(store));
            }),
        on(H2, "A dedupe key without its table", UseMistakes::noDedupeTable),
        on(
            H2,
            "A resolver without tables",
            s -> thrown(() -> TableResolver.builder(s.dataSource()).build())),
        on(
            POSTGRES,
            "A Jdbi handle outside of a transaction",
            s -> {
              try (var handle = Jdbi.open(s.dataSource())) {
                return thrown(() -> JdbiTransactions.create(handle));
              }
            }));
  }

  private static String started(Sandbox sandbox, UnaryOperator<Relay.Builder> settings) {
    JdbcStore store = store(sandbox);
    return thrown(() -> settings.apply(Relay.builder(store, PUBLISHER)).start().close());
  }

  private static String noArchiveTable(Sandbox sandbox) {
    store(sandbox);
    JdbcStore archiving = JdbcStore.builder(sandbox.dataSource()).archive().build();
    return thrown(() -> Relay.builder(archiving, PUBLISHER).start().close());
  }

  private static String noDedupeTable(Sandbox sandbox) {
    JdbcStore store = store(sandbox);
    return thrown(
        () -> enqueue(sandbox, store, Message.to("orders").dedupeKey("order-1").text("1")));
  }

  static List<Mistake> publishers() {
    return List.of(
        on(
            H2,
            "A transactional publisher by lanes",
            s -> {
              JdbcStore store = store(s);
              Publisher publisher = Publisher.transactional((envelope, connection) -> {});
              return thrown(() -> Relay.builder(store, publisher).start().close());
            }),
        on(
            POSTGRES,
            "A transactional publisher that commits",
            s -> thrown(() -> worked(s, Connection::commit))),
        on(
            POSTGRES,
            "A transactional publisher that catches a failed statement",
            s -> worked(s, transaction -> run(transaction, "SELECT * FROM nothing"))),
        on(
            H2,
            "A publisher that throws",
            s ->
                published(
                    s,
                    MESSAGE,
                    Publisher.blocking(
                        envelope -> {
                          throw new IllegalStateException("no such exchange");
                        }),
                    UseMistakes::fails)),
        on(
            H2,
            "A publisher that never answers",
            s -> published(s, MESSAGE, flight -> {}, UseMistakes::fails)),
        on(
            H2,
            "A publisher that answers null",
            s ->
                published(
                    s,
                    MESSAGE,
                    flight -> flight.ack(flight.envelopes().get(0), null),
                    UseMistakes::fails)),
        on(
            H2,
            "An async publisher that returns null",
            s -> published(s, MESSAGE, Publisher.async(envelope -> null), UseMistakes::fails)),
        on(
            H2,
            "A batch publisher that returns too few answers",
            s ->
                published(s, MESSAGE, Publisher.batch(envelopes -> List.of()), UseMistakes::fails)),
        on(
            H2,
            "A publisher that answers for a copy",
            s -> published(s, MESSAGE, UseMistakes::answerForCopies, UseMistakes::fails)),
        on(H2, "A publisher that answers twice", UseMistakes::answeredTwice),
        on(
            H2,
            "A route without the topic",
            s ->
                published(
                    s, MESSAGE, Publisher.route(Map.of("mails", PUBLISHER)), UseMistakes::waits)),
        on(H2, "A route without topics", s -> thrown(() -> Publisher.route(Map.of()))),
        on(
            H2,
            "A reference without a resolver",
            s ->
                published(
                    s, Message.to("orders").reference("mails", 7), PUBLISHER, UseMistakes::waits)));
  }

  /** What is told of a message after such work in its claim. */
  private static String worked(Sandbox sandbox, Transactions.Work<SQLException> work)
      throws SQLException {
    JdbcStore store = store(sandbox, tables -> tables.claiming(Claiming.ROWS));
    enqueue(sandbox, store, MESSAGE);
    Publisher publisher = Publisher.transactional((envelope, transaction) -> work.run(transaction));
    try (ManualRelay relay = ManualRelay.of(store, publisher)) {
      relay.drainNow();
      return store.messages().retrying("orders", 1).get(0).error();
    }
  }

  private static void answerForCopies(Flight flight) {
    flight.envelopes().stream()
        .map(envelope -> envelope.withHeaders(Map.of("copied", "yes")))
        .forEach(copy -> flight.ack(copy, Ack.delivered()));
  }

  private static boolean fails(RelayStatus status) {
    return !status.failing().isEmpty();
  }

  private static boolean waits(RelayStatus status) {
    return !status.brokersDown().isEmpty();
  }

  private static String answeredTwice(Sandbox sandbox) throws SQLException {
    JdbcStore store = store(sandbox);
    enqueue(sandbox, store, MESSAGE);
    Publisher twice =
        flight ->
            flight
                .envelopes()
                .forEach(
                    envelope -> {
                      flight.ack(envelope, Ack.delivered());
                      flight.ack(envelope, Ack.failed(new IllegalStateException("after all")));
                    });
    try (Relay relay = Relay.builder(store, twice).start()) {
      while (relay.status().counts().ignoredAnswers() == 0) {
        Thread.onSpinWait();
      }
      return relay.status().toString();
    }
  }

  static List<Mistake> consumers() {
    return List.of(
        on(
            POSTGRES,
            "An inbox without its table",
            s -> {
              Inbox inbox = Inbox.create(JdbcInbox.create(s.dataSource()));
              return inTransaction(s, c -> inbox.once(c, "mailer", MessageId.next(), x -> {}));
            }),
        on(
            H2,
            "An inbox outside of a transaction",
            s -> {
              Inbox inbox = inbox(s);
              try (Connection connection = s.open()) {
                return thrown(() -> inbox.once(connection, "mailer", MessageId.next(), x -> {}));
              }
            }),
        on(
            H2,
            "A consumer without a name",
            s -> {
              Inbox inbox = inbox(s);
              return inTransaction(s, c -> inbox.once(c, "", MessageId.next(), x -> {}));
            }),
        on(
            H2,
            "An inbox retention of zero",
            s -> {
              inbox(s);
              return thrown(
                  () -> Inbox.builder(JdbcInbox.create(s.dataSource())).retention(Duration.ZERO));
            }),
        on(
            H2,
            "Deliveries of two consumers at once",
            s -> {
              Inbox inbox = inbox(s);
              List<Inbox.Delivery> both =
                  List.of(
                      new Inbox.Delivery("mailer", MessageId.next(), null),
                      new Inbox.Delivery("audit", MessageId.next(), null));
              return inTransaction(s, c -> inbox.receive(c, both));
            }),
        on(
            H2,
            "A message of tomorrow",
            s -> {
              Inbox inbox = inbox(s);
              Inbox.Delivery delivery =
                  new Inbox.Delivery(
                      "mailer", new MessageId(UUID.randomUUID()), Instant.now().plus(DAY));
              return inTransaction(s, c -> inbox.once(c, delivery, x -> {}));
            }),
        on(
            POSTGRES,
            "Work that commits by itself",
            s -> {
              Inbox inbox = inbox(s);
              return inTransaction(
                  s, c -> inbox.once(c, "mailer", MessageId.next(), Connection::commit));
            }));
  }

  private static Inbox inbox(Sandbox sandbox) {
    Schema.builder(sandbox.dataSource()).only(Schema.Part.RECEIPT).create();
    return Inbox.create(JdbcInbox.create(sandbox.dataSource()));
  }

  private interface Work {
    void in(Connection connection) throws Exception;
  }

  private static String inTransaction(Sandbox sandbox, Work work) throws SQLException {
    try (Connection connection = transaction(sandbox.dataSource())) {
      return thrown(() -> work.in(connection));
    }
  }

  static List<Mistake> operators() {
    return List.of(
        on(
            H2,
            "A limit of zero",
            s -> {
              Topics topics = Topics.create(store(s));
              return thrown(() -> topics.limit("orders", 0));
            }),
        on(H2, "A replay of none a second", s -> thrown(() -> ReplayPlan.paced(0))),
        on(
            H2,
            "A page of all dead letters",
            s -> {
              DeadLetters dead = DeadLetters.create(store(s));
              return thrown(() -> dead.page(0, 100_000));
            }),
        on(
            H2,
            "A retention below zero",
            s -> {
              DeadLetters dead = DeadLetters.create(store(s));
              return thrown(() -> dead.purge(DAY.negated()));
            }),
        on(
            H2,
            "A snapshot that counts nothing",
            s -> {
              JdbcStore store = store(s);
              try (Relay relay = Relay.builder(store, PUBLISHER).start()) {
                return thrown(() -> relay.snapshot(0));
              }
            }),
        on(
            H2,
            "Published again without an archive",
            s -> {
              Archive archive = Archive.create(store(s));
              Instant now = Instant.now();
              return thrown(() -> archive.publishAgain("orders", now.minus(DAY), now));
            }),
        on(
            H2,
            "Published again until tomorrow",
            s -> {
              store(s, tables -> tables.with(Schema.Part.ARCHIVE));
              Archive archive = Archive.create(JdbcStore.builder(s.dataSource()).archive().build());
              Instant now = Instant.now();
              return thrown(() -> archive.publishAgain("orders", now.minus(DAY), now.plus(DAY)));
            }));
  }
}
