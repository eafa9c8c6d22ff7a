/** The port of several clusters. */
@Experimental
@NullMarked
package dev.outbox.spi.cluster;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
