/** Proofs and measurements of ready publishers, on real brokers and databases. */
package dev.outbox.brokers;
