/** Everything a user needs to test a publisher, a consumer or a whole flow. */
package dev.outbox.testkit;
