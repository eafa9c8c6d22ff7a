/** Texts that every database keeps and compares exactly, and those that must be JSON. */
package dev.outbox.internal.text;
