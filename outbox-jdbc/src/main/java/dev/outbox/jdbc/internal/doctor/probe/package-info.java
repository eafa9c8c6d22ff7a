/**
 * What each database is asked; one class of {@link dev.outbox.jdbc.internal.doctor.probe.Probes}
 * for each.
 */
package dev.outbox.jdbc.internal.doctor.probe;
