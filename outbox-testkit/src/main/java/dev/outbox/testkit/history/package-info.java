/** What happened in a test, and whether it kept the promises. */
@NullMarked
package dev.outbox.testkit.history;

import org.jspecify.annotations.NullMarked;
