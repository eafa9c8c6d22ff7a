/** Several clusters: who lives, who takes over, and what was seen of the others. */
package dev.outbox.jdbc.internal.cluster;
