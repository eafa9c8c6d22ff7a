/**
 * Whether an outbox can work on this database, and what to do if not.
 *
 * <p>{@link dev.outbox.jdbc.internal.doctor.Examination} runs the checks of every database, which
 * stand here, and those of one, which are in {@code probe}.
 */
package dev.outbox.jdbc.internal.doctor;
