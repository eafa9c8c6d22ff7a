/** What every stage of a relay uses: settings, time, rests, counters. */
package dev.outbox.internal.relay.base;
