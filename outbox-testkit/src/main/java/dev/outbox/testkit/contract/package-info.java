/** The suite that every publisher must pass; extend it and say how to open yours. */
package dev.outbox.testkit.contract;
