/**
 * Events of JDK Flight Recorder: {@link dev.outbox.internal.relay.record.Recording} writes them
 * while a recording runs.
 */
@NullMarked
package dev.outbox.internal.relay.record;

import org.jspecify.annotations.NullMarked;
