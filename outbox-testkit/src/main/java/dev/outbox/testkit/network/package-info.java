/** The network between a client and a server, to be broken by a test. */
@NullMarked
package dev.outbox.testkit.network;

import org.jspecify.annotations.NullMarked;
