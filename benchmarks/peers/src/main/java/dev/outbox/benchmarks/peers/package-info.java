/** Other libraries as contenders, tuned as their documentation advises. */
package dev.outbox.benchmarks.peers;
