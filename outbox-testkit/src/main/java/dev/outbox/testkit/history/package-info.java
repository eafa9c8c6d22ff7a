/** What happened in a test, and whether it kept the promises. */
package dev.outbox.testkit.history;
