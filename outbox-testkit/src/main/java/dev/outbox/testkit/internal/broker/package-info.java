/**
 * What the in-memory broker keeps: arrivals, its dedupe window, and the faults that it is told to
 * make.
 */
package dev.outbox.testkit.internal.broker;
