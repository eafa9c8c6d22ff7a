/**
 * The entry points: outbox, relay, inbox, and what operators use.
 *
 * <p>An application writes messages with an {@link dev.outbox.Outbox}, in the transaction of the
 * application's rows:
 *
 * <pre>{@code
 * Outbox outbox =
 *     Outbox.builder(store)
 *         .codec(JacksonCodec.create())
 *         .headers(() -> Map.of("tenant", tenant()))
 *         .observer(enqueues)
 *         .maxPayload(256 * 1024)
 *         .maxHeaders(8 * 1024)
 *         .limits(MessageLimits.none())
 *         .dedupeRetention(Duration.ofDays(7))
 *         .clusters(Clusters.ONE)
 *         .build();
 * Outbox plain = Outbox.create(store); // all defaults
 *
 * Message message = Message.to("orders.placed").key(42).payload(order);
 * outbox.enqueue(connection, message); // in your transaction
 * connection.commit();
 * outbox.wake(); // the relay need not wait for its next look
 *
 * outbox.join(JdbiTransactions.create(handle)).enqueue(message); // wakes by itself
 * outbox.purgeDedupeKeys(); // once a day, if you use dedupe keys
 * }</pre>
 *
 * <p>A {@link dev.outbox.Relay} in each instance publishes them. Every setting has a default:
 *
 * <pre>{@code
 * Relay relay =
 *     Relay.builder(store, publisher)
 *         .name("orders-1")
 *         .publishDeadline(Duration.ofSeconds(30))
 *         .closeDeadline(Duration.ofSeconds(20))
 *         .batch(500)
 *         .maxInFlight(5_000, 64 << 20)
 *         .retry(RetryPolicy.standard())
 *         .listener(listener)
 *         .lease(Duration.ofSeconds(15), Duration.ofSeconds(5))
 *         .poll(Duration.ofSeconds(1))
 *         .grace(Duration.ofMinutes(1))
 *         .archiveRetention(Duration.ofDays(30))
 *         .owns(client) // closed with the relay
 *         .closeOnShutdown()
 *         .start();
 * System.out.println(relay.name() + " is " + relay.health());
 * System.out.println(relay.status() + ", " + relay.snapshot(10_000));
 * relay.close();
 *
 * Relay.Builder threads = Relay.builder(store, publisher).publishThreads(32);
 * threads.virtualThreads(); // Java 21
 * threads.executor(executor); // or yours
 * threads.clusters(Clusters.of(2, 0));
 * threads.claiming(Claiming.ROWS).workers(4); // tables made for rows
 * }</pre>
 *
 * <p>A consumer takes a message once with an {@link dev.outbox.Inbox}:
 *
 * <pre>{@code
 * Inbox inbox =
 *     Inbox.builder(JdbcInbox.create(dataSource))
 *         .retention(Duration.ofDays(14))
 *         .clock(InstantSource.system())
 *         .build();
 * Inbox plain = Inbox.create(JdbcInbox.create(dataSource));
 *
 * Inbox.Answer answer = inbox.once(connection, "billing", id, order::insert);
 * Inbox.Sorted batch = inbox.receive(connection, "billing", List.of(id));
 * inbox.purge(); // once a day
 * }</pre>
 *
 * <p>{@link dev.outbox.DeadLetters}, {@link dev.outbox.Topics}, {@link dev.outbox.Messages} and
 * {@link dev.outbox.Archive} are for operators.
 */
@NullMarked
package dev.outbox;

import org.jspecify.annotations.NullMarked;
