/** The one thread behind a proxy, and what it owns. */
@NullMarked
package dev.outbox.testkit.internal.network;

import org.jspecify.annotations.NullMarked;
