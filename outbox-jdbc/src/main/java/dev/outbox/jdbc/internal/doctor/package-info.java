/** What the doctor asks: checks of every database, and one class of probes for each. */
package dev.outbox.jdbc.internal.doctor;
