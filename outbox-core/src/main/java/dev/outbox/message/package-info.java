/** What travels: messages, envelopes, their keys, lanes and payload codecs. */
@NullMarked
package dev.outbox.message;

import org.jspecify.annotations.NullMarked;
