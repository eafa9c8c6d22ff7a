/**
 * The store on a relational database, with its inbox, schema, doctor and wake-ups.
 *
 * <pre>{@code
 * JdbcStore store = JdbcStore.create(dataSource); // all defaults
 *
 * JdbcStore other =
 *     JdbcStore.builder(dataSource)
 *         .schema("shop")
 *         .tablePrefix("app")
 *         .archive() // keeps delivered messages
 *         .oneNode() // a Galera cluster that is written on one node
 *         .wakeup(PostgresWakeup.create(dataSource)) // relays in other processes
 *         .clock(InstantSource.system())
 *         .build();
 * }</pre>
 */
@NullMarked
package dev.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
