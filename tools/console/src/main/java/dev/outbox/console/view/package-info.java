/** What the page shows and does, each view as values for JSON. */
@NullMarked
package dev.outbox.console.view;

import org.jspecify.annotations.NullMarked;
