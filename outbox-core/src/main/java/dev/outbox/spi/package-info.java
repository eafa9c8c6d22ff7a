/** What a database plugs in: the store, its claims, leases and settlements, and wake-ups. */
package dev.outbox.spi;
