/** Payload objects as JSON: the only package that knows Jackson's mapper. */
@NullMarked
package dev.outbox.json;

import org.jspecify.annotations.NullMarked;
