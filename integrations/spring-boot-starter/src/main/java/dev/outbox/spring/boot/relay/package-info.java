/**
 * What the relay of an application is made of: its publisher, and a store that is examined while
 * the application makes its other beans. Not for applications.
 */
@NullMarked
package dev.outbox.spring.boot.relay;

import org.jspecify.annotations.NullMarked;
