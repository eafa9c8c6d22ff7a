/** For AssertJ: what was enqueued, what arrived, what is dead. */
@NullMarked
package dev.outbox.testkit.assertj;

import org.jspecify.annotations.NullMarked;
