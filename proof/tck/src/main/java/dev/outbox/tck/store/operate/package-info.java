/**
 * What a store keeps for later and for operators: parked, delayed, held and dead messages, topics,
 * snapshots and clusters.
 */
package dev.outbox.tck.store.operate;
