/**
 * What a run writes, how its flights are recorded, and what a consumer must have received of it.
 */
package dev.outbox.brokers.judge;
