/** For JUnit: a test's outbox, relay, broker and clock as parameters. */
package dev.outbox.testkit.junit;
