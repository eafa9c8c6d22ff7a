/** For JUnit: a test's outbox, relay, broker and clock as parameters. */
@NullMarked
package dev.outbox.testkit.junit;

import org.jspecify.annotations.NullMarked;
