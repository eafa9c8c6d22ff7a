/** What the contracts of publishers and those of stores share; not for users. */
package dev.outbox.testkit.internal;
