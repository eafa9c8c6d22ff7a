/** What watches an outbox and its relay, for its cost. */
@NullMarked
package dev.outbox.benchmarks.watching;

import org.jspecify.annotations.NullMarked;
