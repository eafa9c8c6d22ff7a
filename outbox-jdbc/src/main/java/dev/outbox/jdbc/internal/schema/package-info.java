/** The tables themselves: their DDL, their version, and whether they are as they should be. */
package dev.outbox.jdbc.internal.schema;
