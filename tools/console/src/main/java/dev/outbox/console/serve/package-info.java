/** Who may ask what, by which server, and the files of the page. */
@NullMarked
package dev.outbox.console.serve;

import org.jspecify.annotations.NullMarked;
