/** What happens while relays and writers of two builds share an outbox. */
@NullMarked
package dev.outbox.upgrade;

import org.jspecify.annotations.NullMarked;
