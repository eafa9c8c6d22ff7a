/** Payload objects as JSON: the only package that knows Jackson's mapper. */
package dev.outbox.json;
