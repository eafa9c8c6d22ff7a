/**
 * Several clusters that share an outbox: who lives, and who takes over the messages of one that
 * does not.
 *
 * <p>A worker calls {@link dev.outbox.internal.relay.cluster.ClusterMember}, which does nothing
 * where there is one cluster only.
 */
package dev.outbox.internal.relay.cluster;
