/** Stores that are before another one: what a stand-in does not change passes through. */
package dev.outbox.testkit.internal.intercept;
