/** What operators call, at work: replays in portions, purges in batches. */
package dev.outbox.internal.operate;
