/**
 * Several clusters that share an outbox: who lives, and who takes over the messages of one that
 * does not.
 *
 * <p>The door is {@link dev.outbox.internal.relay.cluster.ClusterMember}; one cluster alone never
 * comes further.
 */
package dev.outbox.internal.relay.cluster;
