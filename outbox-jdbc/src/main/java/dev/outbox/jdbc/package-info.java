/** The store on a relational database, with its inbox, schema, doctor and wake-ups. */
package dev.outbox.jdbc;
