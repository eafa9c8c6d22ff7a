/**
 * The dashboard and the alert rules in a real Prometheus, which collects from a program that runs.
 */
package dev.outbox.monitoring.metrics;
