/** The console in the web server of the application. */
@NullMarked
package dev.outbox.spring.boot.console;

import org.jspecify.annotations.NullMarked;
