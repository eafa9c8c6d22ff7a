/** For AssertJ: what was enqueued, what arrived, what is dead. */
package dev.outbox.testkit.assertj;
