/**
 * What is known of topics, whatever the lane: which are held, whose broker is down, how fast one
 * may go.
 *
 * <p>A stage asks {@link dev.outbox.internal.relay.topic.TopicGates}; {@link
 * dev.outbox.internal.relay.topic.TopicWatch} keeps them up to date with what operators set.
 */
package dev.outbox.internal.relay.topic;
