/** The beans that are there by themselves. Nothing here is called by an application. */
@NullMarked
package dev.outbox.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
