/** Suites that every store and every publisher must pass; extend one and say how to open yours. */
package dev.outbox.testkit.contract;
