/**
 * Tests of applications, publishers and consumers, without a broker and without sleeps.
 *
 * <p>A {@link dev.outbox.testkit.Kit} is an outbox, a relay by hand and a broker in memory:
 *
 * <pre>{@code
 * try (Kit kit = Kit.inMemory()) {
 *   kit.transaction(transaction -> kit.outbox().enqueue(transaction, message));
 *   kit.enqueue(Message.to("mails").text("hello"));
 *   kit.deliver(); // all that is due
 *   kit.pass(Duration.ofMinutes(5)); // time, and what is due then
 *   System.out.println(kit.broker().messages() + " " + kit.contents());
 *   System.out.println(kit.clock().instant() + " " + kit.codec());
 *
 *   kit.start(); // a relay with its own threads
 *   kit.awaitDelivered(2, Duration.ofSeconds(10));
 * }
 *
 * Kit sql = Kit.over(JdbcStore.create(dataSource)); // your database
 * Kit.Builder settings =
 *     Kit.builder()
 *         .clock(SettableClock.create())
 *         .lanes(4) // or rows()
 *         .codec(JacksonCodec.create())
 *         .headers(() -> Map.of("tenant", "acme"))
 *         .outbox(outbox -> outbox.maxPayload(100_000))
 *         .retry(RetryPolicy.standard().atMost(3))
 *         .dedupe(1000) // the broker drops repeats
 *         .publisher(broker -> Publisher.route(Map.of("mails", broker.publisher())));
 * Kit built = settings.build();
 * Kit byRows = Kit.builder().rows().build();
 * Kit both = Kit.builder().over(sql.store(), dataSource).build(); // begins transactions, too
 * Connection begun = both.dataSource().getConnection();
 * sql.relay().drainNow();
 * sql.clear(); // for the next test on the same tables
 * }</pre>
 *
 * <p>Its parts work alone, too. The broker:
 *
 * <pre>{@code
 * InMemoryBroker broker = InMemoryBroker.create();
 * Publisher publisher = broker.publisher(); // or broker.asyncPublisher(executor)
 * Publisher async = broker.asyncPublisher(executor);
 * InMemoryBroker ticking =
 *     InMemoryBroker.builder().clock(clock).dedupe(Duration.ofMinutes(2)).build();
 * InMemoryBroker same = InMemoryBroker.withClock(clock);
 *
 * broker.failNext(2, new IOException("refused"));
 * broker.fail(each -> each.topic().equals("mails"), new IOException("refused"));
 * broker.rejectIf(each -> each.payload().text().isEmpty(), "empty");
 * broker.next(BrokerFault.refuse());
 * broker.when(each -> each.key() == null, BrokerFault.twice());
 * broker.randomly(42, Map.of(BrokerFault.refuse(), 0.1));
 * broker.down(); // until up()
 * broker.up();
 * broker.downFor(Duration.ofMinutes(5)); // by its clock
 * broker.heal(); // no fault is left
 *
 * broker.receive(envelope); // what your publisher sends
 * broker.await(10, Duration.ofSeconds(10)); // 10 arrivals
 * broker.awaitIds(10, Duration.ofSeconds(10)); // of 10 messages
 * System.out.println(broker.count() + " of " + broker.topics() + " " + broker.ids());
 * System.out.println(broker.texts("orders.placed", "42") + " " + broker.messages("mails"));
 * System.out.println(broker.firstArrivals() + " " + broker.repeats() + " " + broker.dropped());
 * System.out.println(broker.overtakings(enqueued) + " " + broker.overtakingsBy(Arrival::number));
 * Subscription billing = broker.subscribe("orders.placed", "billing");
 * broker.clear();
 * }</pre>
 *
 * <p>The store and the relay:
 *
 * <pre>{@code
 * InMemoryStore store = InMemoryStore.create();
 * InMemoryStore other =
 *     InMemoryStore.builder().lanes(4).clusters(Clusters.ONE).clock(clock).archive().build();
 * InMemoryStore byRows = InMemoryStore.builder().rows().build();
 * try (Connection transaction = store.begin()) { // or store.dataSource()
 *   Outbox.create(store).enqueue(transaction, message);
 *   transaction.commit();
 * }
 * Connection second = store.dataSource().getConnection();
 * Inbox inbox = Inbox.create(store.receipts());
 * boolean drained = store.await(Contents::isDrained, Duration.ofSeconds(10));
 * System.out.println(store.readyCount() + " ready, " + store.parkedCount() + " parked");
 * System.out.println(store.delayedCount() + " delayed, " + store.archivedCount() + " archived");
 * System.out.println(store.contents());
 * StoreCopy backup = store.copy(); // and restore() it, then
 * store.raiseIds();
 *
 * ManualRelay relay = ManualRelay.of(store, publisher);
 * relay.drainNow(); // until nothing is due
 * relay.turn(); // one step
 * relay.crash(); // or windDown(), or close()
 *
 * ManualRelay slow =
 *     ManualRelay.builder(store, publisher)
 *         .name("relay-1")
 *         .clock(clock)
 *         .clocks(System::nanoTime, clock)
 *         .random(new Random(42))
 *         .lease(Duration.ofSeconds(15), Duration.ofSeconds(5))
 *         .maximumDelay(Duration.ofMinutes(1))
 *         .batch(10)
 *         .publishDeadline(Duration.ofSeconds(5))
 *         .grace(Duration.ofSeconds(1))
 *         .retry(RetryPolicy.standard())
 *         .archiveRetention(Duration.ofDays(1))
 *         .listener(listener)
 *         .build();
 * slow.windDown();
 * }</pre>
 */
@NullMarked
package dev.outbox.testkit;

import org.jspecify.annotations.NullMarked;
