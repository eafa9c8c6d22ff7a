/**
 * Several clusters that share an outbox. One cluster alone needs nothing of this.
 *
 * <p>{@link dev.outbox.cluster.Clusters} says which cluster this is, {@link
 * dev.outbox.cluster.Handover} hands its messages over before maintenance.
 */
@NullMarked
package dev.outbox.cluster;

import org.jspecify.annotations.NullMarked;
