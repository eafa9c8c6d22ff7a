/** The port of several clusters. */
@NullMarked
package dev.outbox.spi.cluster;

import org.jspecify.annotations.NullMarked;
