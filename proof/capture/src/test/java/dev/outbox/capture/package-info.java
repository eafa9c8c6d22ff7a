/** Debezium and Kafka Connect read our table, on real servers. */
package dev.outbox.capture;
