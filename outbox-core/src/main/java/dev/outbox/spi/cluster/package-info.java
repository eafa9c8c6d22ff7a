/** The port of several clusters. */
package dev.outbox.spi.cluster;
