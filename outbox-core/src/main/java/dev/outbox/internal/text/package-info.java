/** Texts that every database keeps and compares exactly. */
package dev.outbox.internal.text;
