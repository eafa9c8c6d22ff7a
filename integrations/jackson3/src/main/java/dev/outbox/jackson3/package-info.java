/** Payload objects as JSON by the mapper of Jackson 3. */
@NullMarked
package dev.outbox.jackson3;

import org.jspecify.annotations.NullMarked;
