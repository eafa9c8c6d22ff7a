/** What a check works with: the database that is examined, its rows, and the codes of findings. */
package dev.outbox.jdbc.internal.doctor.base;
