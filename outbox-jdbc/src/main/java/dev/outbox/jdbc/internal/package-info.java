/** All use of jdbi: the caller's connection is never closed here. */
package dev.outbox.jdbc.internal;
