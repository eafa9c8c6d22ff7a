/**
 * Real database servers for tests: one per database and JVM, found or started on first use.
 *
 * <p>A server comes from the environment ({@code OUTBOX_TEST_POSTGRES_URL}, {@code _USER}, {@code
 * _PASSWORD}), else from a container when a Docker engine answers, else from binaries on the class
 * path. {@link dev.outbox.servers.Database} is the door, {@link dev.outbox.servers.Sandbox} is what
 * a test class works in.
 *
 * <p>Brokers are beside them: from Maven's artifacts, or as {@link
 * dev.outbox.servers.BrokerPackage} says.
 */
@NullMarked
package dev.outbox.servers;

import org.jspecify.annotations.NullMarked;
