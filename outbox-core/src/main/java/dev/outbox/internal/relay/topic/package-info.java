/**
 * What is known of topics, whatever the lane: which are held, whose broker is down, how fast one
 * may go.
 *
 * <p>Who reads comes in by its worker's {@link dev.outbox.internal.relay.topic.TopicWatch}, which
 * asks about once a second what operators have set. Behind it are the {@link
 * dev.outbox.internal.relay.topic.TopicGates}, which all workers share: who publishes asks them
 * message by message, and tells them each answer.
 */
package dev.outbox.internal.relay.topic;
