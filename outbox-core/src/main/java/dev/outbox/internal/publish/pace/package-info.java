/**
 * How many sends are under way at a time, when the last of a flight may begin, and when none counts
 * any more.
 */
@NullMarked
package dev.outbox.internal.publish.pace;

import org.jspecify.annotations.NullMarked;
