/** Payload objects as JSON: the only package that knows Jackson. */
package dev.outbox.json;
