/** What operators see and change: dead letters, topics, relays, snapshots. */
package dev.outbox.jdbc.internal.operate;
