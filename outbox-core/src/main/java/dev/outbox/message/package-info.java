/** What travels: messages, envelopes, their keys, lanes and payload codecs. */
package dev.outbox.message;
