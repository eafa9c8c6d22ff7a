/** What a kit is made of: in memory, or over a database whose messages it remembers. */
@NullMarked
package dev.outbox.testkit.internal.kit;

import org.jspecify.annotations.NullMarked;
