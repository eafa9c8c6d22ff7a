/** One final class per database: what is particular to it beside its SQL. */
package dev.outbox.jdbc.dialect;
