/** Traces through real brokers, by OpenTelemetry's SDK and by its agent. */
package dev.outbox.monitoring.trace;
