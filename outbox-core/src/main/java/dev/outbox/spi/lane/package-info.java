/** Lanes: what one is, who owns it, what it has. */
package dev.outbox.spi.lane;
