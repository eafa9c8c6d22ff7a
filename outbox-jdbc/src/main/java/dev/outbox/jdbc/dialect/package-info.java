/** One final class per database, its SQL as text blocks in one fixed order. */
package dev.outbox.jdbc.dialect;
