/**
 * The beans that are there by themselves. What a relay is made of is in {@code relay}, why nothing
 * starts in {@code diagnostics}. Nothing here is called by an application.
 */
@NullMarked
package dev.outbox.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
