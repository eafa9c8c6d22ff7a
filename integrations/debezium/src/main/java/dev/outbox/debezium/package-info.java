/**
 * Without a relay: {@link dev.outbox.debezium.RowToMessage} makes of a row that Debezium has read
 * from the database's log what a relay with the publisher to Kafka would have sent.
 */
@NullMarked
package dev.outbox.debezium;

import org.jspecify.annotations.NullMarked;
