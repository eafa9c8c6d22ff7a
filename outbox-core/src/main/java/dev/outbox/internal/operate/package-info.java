/** How operators' doors do their work: replays in portions, purges in batches. */
package dev.outbox.internal.operate;
