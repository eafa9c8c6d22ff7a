/** How many sends are under way at a time, and when the last of a flight may begin. */
@NullMarked
package dev.outbox.internal.publish.pace;

import org.jspecify.annotations.NullMarked;
